# SPDX-License-Identifier: Apache-2.0
"""growth_svg.py - draws curves of time over size, both relative to the largest size, as an SVG picture."""
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 740, 390, 60, 40, 50
COLORS = ["#1b6ca8", "#c8553d", "#2e8b57", "#8a4fa3", "#b8860b"]
PLOT = 340
X_END, Y_END, BAR = 2, 2.5, 2.5  # the ends of the axes, and the limit of the time for twice the size


def place(x, y):
    """Returns the point for size `x` and time `y`, both relative to the reference size."""
    across, up = x / X_END, y / Y_END
    return f"{LEFT + PLOT * across:.1f},{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * up:.1f}"


def text(x, y, words, extra=""):
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="12" fill="#333" {extra}>{words}</text>'


def axes():
    lines = []
    for step in range(int(2 * Y_END) + 1):
        y = place(0, step / 2).split(",")[1]
        lines.append(f'<path d="M{place(0, step / 2)} L{place(X_END, step / 2)}" stroke="#ddd"/>')
        lines.append(text(LEFT - 8, float(y) + 4, f"{step / 2:g}", 'text-anchor="end"'))
    for step in range(2 * X_END + 1):
        x = place(step / 2, 0).split(",")[0]
        lines.append(text(x, HEIGHT - BOTTOM + 18, f"{step / 2:g}", 'text-anchor="middle"'))
    lines.append(f'<path d="M{place(0, 0)} L{place(X_END, X_END)}" stroke="#999" stroke-dasharray="4 4"/>')
    lines.append(f'<path d="M{place(1, BAR)} L{place(X_END, BAR)}" stroke="#a00" stroke-dasharray="4 4"/>')
    lines.append(text(place(1, 0).split(",")[0], float(place(0, BAR).split(",")[1]) - 5, f"no more than {BAR:g} when doubled"))
    lines.append(text(LEFT + PLOT / 2, HEIGHT - 10, "size, 1 is the one named at the right", 'text-anchor="middle"'))
    lines.append(text(4, 14, "time, 1 is that of size 1", ""))
    return lines


def draw(curves, path):
    """curves: {name: [(size, seconds)]}; the last but one point of each is 1 on both axes, the last at 2."""
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *axes()]
    for i, (name, points) in enumerate(curves.items()):
        size, seconds = points[-2]
        spots = [place(s / size, t / seconds) for s, t in points]
        color = COLORS[i % len(COLORS)]
        line = " ".join([place(0, 0)] + spots)
        lines.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        lines += [f'<circle cx="{s.split(",")[0]}" cy="{s.split(",")[1]}" r="3" fill="{color}"/>' for s in spots]
        y = TOP + 30 + 44 * i
        lines.append(f'<path d="M{LEFT + PLOT + 20},{y - 4} h20" stroke="{color}" stroke-width="3"/>')
        lines.append(text(LEFT + PLOT + 46, y, name))
        told = f"{size:,}: {seconds:.3f} s, doubled {points[-1][1] / seconds:.2f} times"
        lines.append(text(LEFT + PLOT + 46, y + 15, told))
    path.write_text("\n".join(lines + ["</svg>"]) + "\n", encoding="utf-8")
