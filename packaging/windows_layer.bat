@echo off
rem SPDX-License-Identifier: Apache-2.0
rem Makes the Khronos OpenCL loader load the nonflat_layer.dll that lies beside this file, for all programs: windows_layer.bat
rem And not any more: windows_layer.bat remove
rem Both need an administrator's rights. Exit status: 0 done, 1 not.
set "layer=%~dp0nonflat_layer.dll"
set "key=HKLM\SOFTWARE\Khronos\OpenCL\Layers"
if "%~1"=="remove" goto remove
if not exist "%layer%" (
    echo There is no %layer%.
    exit /b 1
)
reg add "%key%" /v "%layer%" /t REG_DWORD /d 0 /f
if errorlevel 1 exit /b 1
exit /b 0
:remove
reg delete "%key%" /v "%layer%" /f
if errorlevel 1 exit /b 1
exit /b 0
