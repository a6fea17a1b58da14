"""A drawing in, HTML out: a page with the live graph (pyvis and its vis-network, offline).

pyvis gathers the nodes, edges and options and brings vis-network. Its own page template asks two
other hosts for bootstrap, takes 0.7 MB and reads a name with "href" in it as HTML; this one asks
nobody, holds vis-network compressed (the browser's DecompressionStream opens it), takes about
0.3 MB and shows names as text.
"""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache

from workbench.show.drawing import Drawing, radius
from workbench.show.text import escaped, visible
from workbench.show.theme import line_look

HEIGHT = 560  # pixels of the live graph
DETAIL_WIDTH = 400  # characters of a description
LABEL_WIDTH = 28  # characters; the tooltip has the whole name
_OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False},
    "interaction": {"hover": True, "tooltipDelay": 80, "navigationButtons": False},
    "nodes": {
        "shape": "dot",
        "borderWidth": 1,
        "font": {"strokeWidth": 3, "strokeColor": "#ffffff"},
        "scaling": {"min": 5, "max": 40, "label": {"min": 12, "max": 26, "drawThreshold": 7}},
    },
    "edges": {"smooth": False, "color": {"color": "#cfcfcf", "highlight": "#444444"}},
}
_STYLE = """
html,body{margin:0;height:100%;font:13px sans-serif}
:root{color-scheme:light dark;--back:#fff;--ink:#222}
@media (prefers-color-scheme:dark){:root{--back:#181818;--ink:#ddd}}
#page{display:none;flex-direction:column;height:100%;background:var(--back);color:var(--ink)}
#graph{flex:1;min-height:0}
#find{float:right;width:12em;font:inherit}
#about{position:absolute;left:8px;bottom:8px;max-width:60%;max-height:40%;overflow:auto;
padding:4px 8px;background:var(--back);border:1px solid #999;border-radius:3px;white-space:pre-line}
#about:empty{display:none}
.legend,.note{padding:4px 8px}.legend span{margin-right:12px;white-space:nowrap}
.legend i{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:4px}
.vis-tooltip{position:absolute;visibility:hidden;padding:4px 8px;background:var(--back);
color:var(--ink);border:1px solid #999;border-radius:3px;
white-space:pre-line;pointer-events:none;z-index:5}
"""
# The page stays transparent until the graph is drawn, so that the picture below shows meanwhile,
# and for good where a browser cannot decompress. Fitted again on resize: the frame's first width
# may be 0.
_SCRIPT = """
(async () => {
  const packed = document.getElementById("vis").textContent;
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const library = document.createElement("script");
  library.textContent = await new Response(stream).text();
  document.head.append(library);
  const data = JSON.parse(document.getElementById("data").textContent);
  document.getElementById("page").style.display = "flex";
  const network = new vis.Network(document.getElementById("graph"),
    {nodes: new vis.DataSet(data.nodes), edges: new vis.DataSet(data.edges)}, data.options);
  const fit = () => network.fit({animation: false});
  addEventListener("resize", fit);
  fit();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const ink = () => network.setOptions({nodes: {font: dark.matches
    ? {color: "#dddddd", strokeColor: "#181818"} : {color: "#222222", strokeColor: "#ffffff"}}});
  dark.addEventListener("change", ink);
  ink();
  const about = document.getElementById("about");
  const choose = (id) => {
    const node = data.nodes.find((one) => one.id === id);
    about.textContent = node ? node.title + (node.detail ? "\\n" + node.detail : "") : "";
  };
  network.on("selectNode", (event) => choose(event.nodes[0]));
  network.on("deselectNode", () => choose(null));
  const find = document.getElementById("find");
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    const at = (one) => wanted ? one.title.toLowerCase().indexOf(wanted) : -1;
    const found = data.nodes.find((one) => at(one) === 0) || data.nodes.find((one) => at(one) > 0);
    network.selectNodes(found ? [found.id] : []);
    choose(found && found.id);
    if (found) network.focus(found.id, {scale: 1, animation: false}); else fit();
  });
})();
"""
_FIND = '<input id="find" type="search" placeholder="find a name" aria-label="find a name">'


def page_html(drawing: Drawing, *, standalone: bool = False) -> str:
    """Give the page of a drawing; a standalone one also has its title and its explanation."""
    note = ""
    if standalone:
        words = f"<b>{escaped(drawing.title)}</b> {escaped(drawing.choice)}"
        note = f'<div class="note">{words}</div>'
    legend = "".join(
        f'<span><i style="background:{colour}"></i>{escaped(name)}</span>'
        for name, colour in drawing.colours.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escaped(drawing.title or 'Graph')}</title><style>{_STYLE}</style></head><body>\n"
        f'<div id="page">{note}<div class="legend">{_FIND}{legend}</div><div id="graph"></div>'
        '<div id="about" aria-live="polite"></div></div>\n'
        f'<script type="application/json" id="data">{_data(drawing)}</script>\n'
        f'<script type="text/plain" id="vis">{_library()}</script>\n'
        f"<script>{_SCRIPT}</script></body></html>\n"
    )


def frame_html(page: str, png: bytes, alt: str) -> str:
    """Give the block: the picture, and over it the page in a frame that may run only scripts."""
    picture = base64.b64encode(png).decode("ascii")
    # single quotes around the page: JSON is full of double ones, each of which would cost 5 bytes
    source = page.replace("&", "&amp;").replace("'", "&#39;")
    return (
        f'<div style="display:grid;max-width:1000px;height:{HEIGHT}px;background:#fff">'
        '<img style="grid-area:1/1;max-width:100%;height:auto" '
        f'alt="{escaped(alt)}" src="data:image/png;base64,{picture}">'
        f'<iframe style="grid-area:1/1;width:100%;height:{HEIGHT}px;border:0" '
        f'title="{escaped(alt)}" sandbox="allow-scripts" srcdoc=\'{source}\'></iframe></div>'
    )


def _data(drawing: Drawing) -> str:
    from pyvis.network import Network

    network = Network(cdn_resources="in_line")
    for node in drawing.nodes.itertuples():
        network.add_node(
            str(node.id),
            label=visible(node.name, LABEL_WIDTH),
            title=f"{node.name}\n{node.type}, degree {node.degree}",
            detail=visible(node.detail, DETAIL_WIDTH),
            color=node.colour,
            x=float(node.x),
            y=float(node.y),
            value=float(radius(node.degree)),
        )
    for edge in drawing.edges.itertuples():
        colour, dashed, wider = line_look(edge.role)
        looks = {} if not edge.role else {"color": colour, "dashes": dashed}
        network.add_edge(
            edge.source_id,
            edge.target_id,
            width=round(wider * min(6.0, 0.6 + 0.5 * float(edge.weight) ** 0.5), 2),
            title=f"weight {edge.weight:g}" + (f", {edge.role}" if edge.role else ""),
            **looks,
        )
    nodes, edges, *_ = network.get_network_data()
    data = {"nodes": nodes, "edges": edges, "options": _OPTIONS}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # inside a script element only these can end or change it; \\u003c means the same in JSON
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _library() -> str:
    """Give pyvis's vis-network as base64 of gzip, the same bytes each time."""
    from importlib.resources import files

    source = files("pyvis") / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    return base64.b64encode(gzip.compress(source.read_bytes(), 9, mtime=0)).decode("ascii")
