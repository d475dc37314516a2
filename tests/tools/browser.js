// SPDX-License-Identifier: Apache-2.0
// Measures the page it is appended to: the color scheme, boxes of the picture that overlap, text whose contrast with what
// is behind it is below 4.5 to 1, whether the page is wider than the window, and whether it begins with fewer lines than
// it can show.
"use strict";
function numbers(colour) {
    return colour.match(/[\d.]+/g).map(Number);
}
function luminance([r, g, b]) {
    const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
function background(element) {
    for (; element; element = element.parentElement) {
        const colour = numbers(getComputedStyle(element).backgroundColor);
        if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
}
function isFaint(element) {
    const a = luminance(numbers(getComputedStyle(element).color)), b = luminance(background(element));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
}
const boxes = [...document.querySelectorAll(".node rect")].map((box) => box.getBoundingClientRect());
let overlaps = 0;
boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    if (a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom) overlaps++;
}));
const faint = [...document.querySelectorAll("p,h1,h2,h3,td,th,li,code,summary,span,div.why")].filter(isFaint).length;
const scheme = luminance(background(document.body)) > 0.5 ? "light" : "dark";
const wide = document.documentElement.scrollWidth > window.innerWidth ? 1 : 0;
const shown = () => [...document.querySelectorAll("table.l tr")].filter((row) => row.getClientRects().length).length;
document.querySelectorAll("details").forEach((part) => { part.open = true; });
const differing = shown();
document.querySelector("#only").click();
const fewer = differing > 10 && differing < shown() ? 1 : 0;
const result = document.createElement("pre");
result.id = "measured";
result.textContent = `scheme=${scheme} nodes=${boxes.length} overlaps=${overlaps} faint=${faint} wide=${wide} fewer=${fewer}`;
document.body.append(result);
