/* SPDX-License-Identifier: Apache-2.0 */
/* run_summary.h - the part of `nonflat run` that stays to sum up. */
#ifndef NF_TOOLS_RUN_SUMMARY_H
#define NF_TOOLS_RUN_SUMMARY_H

/* Call start(command, what), which becomes the command, in a child, with NONFLAT_SUMMARY set; when it has ended print
 * one line on standard error. @return the command's status, 128 + the signal's number when one ended it. */
int nf_run_with_summary(char **command, int (*start)(char **command, const void *what), const void *what);

#endif
