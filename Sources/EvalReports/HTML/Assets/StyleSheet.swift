/// The page's style sheet; its hash stands in the content-security policy.
///
/// Passing is quiet, failing is loud: ink and grey for everything normal, one warm colour for worse
/// and one blue for better, never red against green, and always a word or a glyph beside it.
/// Contrast, computed: text at least 5.4:1, graphics at least 5:1, in both themes.
enum StyleSheet {
  static let text: StaticString = #"""
    :root{color-scheme:light dark;--paper:#fffffb;--panel:#f7f6ef;--ink:#171714;--ink2:#45443e;
    --ink3:#65645c;--rule:#d6d4c9;--rule2:#e9e7dd;--bad:#a12d0c;--badbg:#fbe6dc;--good:#17568b;
    --goodbg:#e1edf6;--base:#6f6e66;--focus:#0b5cad;--mark:#7a5a00;--h0:#e8eef0;--h1:#f6dcc6;
    --h2:#efb78e;--h3:#dd8650;--h4:#bb5524;--h5:#7f2a08;--on3:#2a1206;--on4:#fff;
    --serif:"Iowan Old Style","Palatino Linotype",Palatino,P052,"URW Palladio L","Book Antiqua",
    Georgia,serif;
    --sans:Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",
    "Liberation Sans",Arial,sans-serif;
    --mono:"JetBrains Mono",ui-monospace,"SF Mono",Menlo,"Cascadia Mono",Consolas,
    "DejaVu Sans Mono",monospace}
    @media (prefers-color-scheme:dark){:root:not([data-theme=light]){--paper:#141412;
    --panel:#1d1d1a;--ink:#ebe8de;--ink2:#c3bfb3;--ink3:#a09c90;--rule:#3b3a34;--rule2:#2a2925;
    --bad:#ff9a73;--badbg:#3a1d12;--good:#86bdea;--goodbg:#142c3f;--base:#98958a;--focus:#7cc0ff;
    --mark:#e2c169;--h0:#202b31;--h1:#4a3322;--h2:#7a4a26;--h3:#cc7a33;--h4:#ec9450;--h5:#ffc79c;
    --on3:#1b0d05;--on4:#1b0d05}}
    :root[data-theme=dark]{color-scheme:dark;--paper:#141412;--panel:#1d1d1a;--ink:#ebe8de;
    --ink2:#c3bfb3;--ink3:#a09c90;--rule:#3b3a34;--rule2:#2a2925;--bad:#ff9a73;--badbg:#3a1d12;
    --good:#86bdea;--goodbg:#142c3f;--base:#98958a;--focus:#7cc0ff;--mark:#e2c169;--h0:#202b31;
    --h1:#4a3322;--h2:#7a4a26;--h3:#cc7a33;--h4:#ec9450;--h5:#ffc79c;--on3:#1b0d05;--on4:#1b0d05}
    :root[data-theme=light]{color-scheme:light}
    *{box-sizing:border-box}
    html{scroll-padding-top:48px;-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--paper);color:var(--ink);font:13px/1.45 var(--sans);
    font-variant-numeric:tabular-nums lining-nums;overflow-wrap:anywhere}
    a{color:inherit;text-decoration:underline;text-decoration-color:var(--rule);
    text-underline-offset:2px;text-decoration-thickness:1px}
    a:hover{text-decoration-color:currentColor}
    :focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:1px}
    [hidden]{display:none!important}
    .skip{position:absolute;left:-999px}
    .skip:focus{left:8px;top:8px;z-index:9;background:var(--paper);padding:6px 10px}
    .vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
    white-space:nowrap}
    main,.bar>div,footer{max-width:1184px;margin:0 auto;padding:0 28px}
    .bar{position:sticky;top:0;z-index:5;background:var(--paper);border-bottom:1px solid var(--rule)}
    .bar>div{display:flex;gap:18px;align-items:center;min-height:37px;font-size:12px;
    color:var(--ink2);white-space:nowrap}
    .bar nav{display:flex;gap:14px;overflow-x:auto;scrollbar-width:none;flex:1}
    .bar nav a{text-decoration:none;padding:4px 0}.bar nav a:hover{text-decoration:underline}
    button,select,input{font:inherit;color:inherit;background:var(--paper);
    border:1px solid var(--ink3);border-radius:3px;padding:2px 8px;min-height:26px}
    button{cursor:pointer}
    h1,h2,h3,h4{margin:0;font-weight:400}
    h1{font:600 12px var(--sans);letter-spacing:.08em;text-transform:uppercase;color:var(--ink2);
    max-width:24ch;overflow:hidden;text-overflow:ellipsis}
    h2{font:22px/1.2 var(--serif);margin:0 0 2px}
    h3{font:italic 15px/1.35 var(--serif);color:var(--ink2);margin:16px 0 4px}
    h4{font:600 11px/1.4 var(--sans);color:var(--ink3);margin:12px 0 3px}
    section{padding:30px 0 4px}
    .lede{font:italic 14px/1.45 var(--serif);color:var(--ink2);max-width:74ch;margin:0 0 12px}
    .note{font:italic 12.5px/1.5 var(--serif);color:var(--ink3);margin:8px 0 0;max-width:90ch}
    .head{display:grid;grid-template-columns:minmax(0,1fr) 302px;gap:48px;padding:26px 0 0}
    .verdict{font:400 29px/1.26 var(--serif);margin:8px 0 14px;max-width:30em;text-wrap:pretty}
    .verdict.top{margin-top:32px;max-width:36em;font-size:26px}.verdict.long{font-size:24px;line-height:1.3;max-width:34em}.verdict b{font-weight:700}.verdict code{font-size:.8em}
    .verdict a{text-decoration-thickness:1px;text-underline-offset:4px}
    .found{font-size:14px;line-height:1.5;color:var(--ink2);margin:0 0 16px;max-width:80ch}
    .toy{border-left:3px solid var(--mark);padding:2px 0 2px 12px;margin:0 0 14px;max-width:84ch;
    color:var(--ink2);font-size:12.5px}.toy b{color:var(--mark)}
    .meta{display:grid;grid-template-columns:repeat(4,auto);justify-content:start;gap:4px 30px;
    margin:0;font-size:12px}.meta dt{color:var(--ink3);font-size:11px}.meta dd{margin:0 0 4px}
    .bad{color:var(--bad)}.good{color:var(--good)}.dim{color:var(--ink3)}.dim2{color:var(--ink2)}
    table{border-collapse:collapse;width:100%;font-size:12.5px}
    caption{text-align:left;font:italic 12.5px/1.45 var(--serif);color:var(--ink3);padding:0 0 6px}
    th,td{padding:3px 10px 3px 0;text-align:left;vertical-align:baseline;font-weight:400}
    thead th,tr.hd th{font-size:11px;color:var(--ink3);border-bottom:1px solid var(--ink3);
    vertical-align:bottom;line-height:1.3}tr.hd th{padding-top:14px}
    tbody tr{border-bottom:1px solid var(--rule2)}
    tbody tr:last-child{border-bottom:1px solid var(--rule)}
    .n{text-align:right;white-space:nowrap}.nw{white-space:nowrap}
    td svg,th svg{display:block;overflow:visible;max-width:none}
    td:has(>svg){vertical-align:top;padding-top:4px;padding-bottom:0}
    td>svg[height="22"]{margin:-3px 0 -4px}td>svg[height="14"]{margin-top:2px}td>svg[height="16"]{margin-top:1px}
    th[aria-sort] button{border:0;background:none;padding:9px 0 0;margin-bottom:-1px;min-height:24px;
    font:inherit;color:inherit;text-align:inherit;vertical-align:bottom}
    th[aria-sort=ascending] button::after{content:" ▲";font-size:9px}
    th[aria-sort=descending] button::after{content:" ▼";font-size:9px}
    tr.w>th,tr.w>td.k{font-weight:600}
    .of{color:var(--ink3);font-weight:400}.sub{display:block;color:var(--ink3);font-weight:400;font-size:11.5px}
    .tag{font-size:11.5px;white-space:nowrap}.tag.bad::before{content:"▼ "}
    .tag.good::before{content:"▲ "}.tag.eq::before{content:"≈ "}.tag.eq,.tag.un{color:var(--ink3)}
    .tag.un::before{content:"? "}
    .scroll{overflow-x:auto;max-width:100%;position:relative;overflow-wrap:normal}
    .nat{width:auto;min-width:100%}.nat td:has(>svg),.nat:not(.trace) td.n{width:1%}.nat th:not(:last-child),.nat td:not(:last-child)
    {padding-right:18px}.nat.tight th:not(:last-child),.nat.tight td:not(:last-child)
    {padding-right:12px}.st .sub code{font-size:11px}.wide{min-width:720px}
    code,pre,.m{font-family:var(--mono);font-size:11.5px;font-variant-ligatures:none}
    figure,.head>*,.two>*,.diff>*,.mult>*,.row>*{min-width:0}figure{margin:0}
    figcaption{font-size:12px;color:var(--ink2);margin:0 0 4px}
    figcaption b{font-weight:600;color:var(--ink)}
    svg{max-width:100%}
    .ax{stroke:var(--rule)}.ax2{stroke:var(--ink3)}.tk{fill:var(--ink3)}
    .lb{fill:var(--ink)}.lb2{fill:var(--ink2)}svg text{font-family:var(--sans)}
    svg .tm{font-family:var(--mono);fill:var(--ink)}
    .ci{stroke:var(--ink)}.cib{stroke:var(--base)}.dot{fill:var(--ink)}
    .dotb{fill:var(--paper);stroke:var(--base)}.ringi{fill:var(--paper);stroke:var(--ink)}
    .ci.b,.s-bad{stroke:var(--bad)}.dot.b,.f-bad,svg .tm.f-bad{fill:var(--bad)}
    .ci.g{stroke:var(--good)}.dot.g{fill:var(--good)}.gate{stroke:var(--mark)}
    .gatet{fill:var(--mark)}.bar1{fill:var(--ink2)}.barb{fill:none;stroke:var(--base)}
    .band{fill:var(--panel)}.f-base{fill:var(--base)}.kept{fill:var(--rule2)}
    .kept.d{fill:var(--badbg)}.ok{fill:var(--rule)}
    .mult.five{grid-template-columns:repeat(4,minmax(0,1fr)) 268px;gap:18px}.grow{flex:1 1 500px}
    .m .sub{font-family:var(--sans)}.mult{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:26px}
    .row{display:flex;gap:24px 30px;flex-wrap:wrap;align-items:flex-start}
    .two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:4px 34px}
    .lat{grid-template-columns:minmax(0,1.5fr) minmax(0,1fr);gap:40px}
    .cm{width:auto;border-collapse:separate;border-spacing:2px}.cm th,.cm td{padding:0}
    .cm td{width:56px;height:36px;text-align:center;vertical-align:middle;font-size:13px}
    .cm.s td{width:44px;height:26px;font-size:11.5px}
    .cm thead th{border:0;text-align:center;padding:0 3px 3px}.cm tbody tr{border:0}
    .cm tbody th{padding-right:8px;text-align:right;vertical-align:middle;font-size:12px}
    .cm .dg{outline:1px solid var(--ink3);outline-offset:-1px}.z{color:var(--ink3)}
    .h0{background:var(--h0)}.h1{background:var(--h1)}.h2{background:var(--h2)}
    .h3{background:var(--h3)}.h4{background:var(--h4)}.h5{background:var(--h5)}
    td.h0,td.h1,td.h2{color:var(--ink)}td.h3{color:var(--on3)}td.h4,td.h5{color:var(--on4)}
    .mult.three{grid-template-columns:repeat(3,minmax(0,1fr))}
    .sl{stroke:var(--ink2);stroke-width:1.3}.rib{fill:var(--rule2)}.dot2{fill:var(--ink2)}
    .st{width:99%}.st>div{display:flex;gap:10px;white-space:nowrap;align-items:baseline}
    .st .sub{flex:1;width:0;min-width:0;overflow:hidden;text-overflow:ellipsis}.sg{display:inline-block;margin-right:26px;white-space:nowrap}.sg b{font-weight:600}
    .li{display:block}.ed{max-width:340px;min-width:200px}
    .heat{width:auto;border-collapse:separate;border-spacing:1px 2px;font-size:11.5px}
    .heat th,.heat td{padding:0;line-height:22px;white-space:nowrap}.heat tbody tr{border:0}
    .heat tbody th{padding-right:10px}.heat thead th{border:0;font-size:10px;text-align:center;
    line-height:14px}.heat .at{display:block;width:19px;overflow:visible;text-indent:-2px}
    .heat td{min-width:19px;height:22px;text-align:center;font-size:10px}
    .heat .t{border-left:3px solid var(--paper)}.heat .z{color:var(--ink3)}
    .heat th.n,.heat thead th:last-child{padding-left:10px}.heat .x{padding-left:10px;font-size:11.5px}.heat td.n{text-align:right}
    .heat thead th.n{padding-left:10px;text-align:right}
    .heat .grp th{font:italic 13px/1.2 var(--serif);color:var(--ink2);padding:10px 0 4px;
    text-align:left}.heat .ev td{height:13px;line-height:13px;font-size:11px;color:var(--mark)}
    .heat .ct{font:italic 12px/22px var(--serif);color:var(--ink3);text-align:left;padding-right:12px}
    .heat.mx thead th:first-child{text-align:left}.heat.mx td{min-width:74px;font-size:11.5px}.mx td a{display:block;text-decoration:none}
    .mx td a:hover{text-decoration:underline}.heat a:focus-visible{outline-offset:0}
    tr:target{outline:2px solid var(--focus)}mark{background:var(--badbg);color:var(--bad);
    font-weight:600}.heat td:focus{outline:2px solid var(--focus);outline-offset:0}
    .key{display:flex;gap:4px 14px;flex-wrap:wrap;align-items:center;font-size:11px;
    color:var(--ink3);margin:8px 0 0}.key i{display:inline-block;width:14px;height:11px;
    vertical-align:-1px}
    .diff{display:grid;grid-template-columns:1fr 1fr;gap:0 34px;margin:0 0 6px}
    .diff p{font:15px/1.5 var(--serif);margin:0;max-width:56ch;white-space:pre-line}
    .diff p.m{font:12px/1.5 var(--mono)}.diff h4{margin-top:2px}
    del{background:var(--badbg);color:var(--bad);text-decoration-thickness:1px}
    ins{background:var(--goodbg);color:var(--good);text-decoration:underline;
    text-decoration-thickness:1px;text-underline-offset:3px}
    ul.note{padding-left:18px}details>.note{margin-bottom:10px}details{border-bottom:1px solid var(--rule2)}details[open]{border-bottom-color:var(--rule)}
    summary{cursor:pointer;padding:5px 0;margin-left:16px;list-style-position:outside}
    summary .cnt{display:inline-block;min-width:34px;text-align:right;font-weight:600;
    margin-right:10px}summary .where{color:var(--ink3);font-size:12px}
    .drill{padding:6px 0 18px 16px}.drill+.drill{border-top:1px solid var(--rule2);padding-top:14px}
    .drill>details,details>details{border:0;margin-top:6px}.drill>h3:first-child{margin-top:2px}
    details details>.drill{padding-left:16px}
    pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;
    background:var(--panel);padding:7px 10px;border-radius:2px}
    ul.tree{list-style:none;margin:0;padding:0;font:11.5px/1.6 var(--mono)}
    ul.tree ul{list-style:none;margin:0;padding:0 0 0 16px;border-left:1px solid var(--rule)}
    .ty{color:var(--ink3)}.hl{background:var(--badbg);color:var(--bad);padding:0 3px}
    .tok{font:600 12px/1.5 var(--mono);white-space:pre}.trace td,.trace th{vertical-align:top;
    padding:2px 12px 2px 0}.trace .dec>*{background:var(--badbg)}.trace .dec .dim,
    .trace .dec .cand s{color:var(--ink2)}
    .cand{font:11.5px/1.55 var(--mono);min-width:330px}.note+.scroll{margin-top:16px}.cand s{color:var(--ink3);text-decoration-thickness:1px}
    .opt{display:inline-block;margin-right:12px}
    kbd{font:11px var(--mono);border:1px solid var(--ink3);border-radius:3px;padding:0 4px}
    .ctl{display:flex;gap:10px;align-items:center;margin:10px 0 8px;flex-wrap:wrap}
    .ctl input{width:min(460px,100%)}
    .vt{height:318px;overflow:auto;position:relative;border-top:1px solid var(--ink3);
    border-bottom:1px solid var(--rule);overflow-wrap:normal}.vt table{table-layout:fixed;
    min-width:820px}.vt thead th{position:sticky;top:0;background:var(--paper);z-index:1}
    .vt tbody tr{height:24px}.vt tbody tr.pad{border:0}.vt td{white-space:nowrap;overflow:hidden;
    text-overflow:ellipsis;padding:0 12px 0 0;vertical-align:middle}.vt th:nth-child(1){width:20%}
    .vt th:nth-child(2){width:17%}.vt th:nth-child(3){width:7%}.vt th:nth-child(4){width:10%}
    .vt th:nth-child(6),.vt th:nth-child(7){width:8%}
    footer{padding-top:34px;padding-bottom:60px;color:var(--ink3);font-size:12px;columns:3;
    column-gap:34px}footer p{margin:0 0 8px;break-inside:avoid}
    footer h2{font-size:17px;column-span:all;color:var(--ink2);margin:0 0 8px}
    dialog{border:1px solid var(--ink3);background:var(--paper);color:var(--ink);border-radius:4px;
    padding:18px 24px;max-width:560px}dl.keys,dialog dl{display:grid;grid-template-columns:auto 1fr;
    gap:5px 18px;margin:10px 0}dl.keys dd,dialog dd{margin:0}
    @media (max-width:980px){.head,.two,.lat,.diff{grid-template-columns:minmax(0,1fr)}
    .mult,.mult.three,.mult.five{grid-template-columns:repeat(2,minmax(0,1fr))}.meta{grid-template-columns:repeat(2,auto)}
    footer{columns:1}.verdict{font-size:24px}tbody th[scope=row]:has(.sub){min-width:170px}}
    @media (max-width:560px){main,.bar>div,footer{padding-left:14px;padding-right:14px}
    .mult,.mult.three,.mult.five{grid-template-columns:minmax(0,1fr)}.meta{gap:4px 18px}
    .lat svg{width:640px;max-width:none}#all svg{width:760px;max-width:none}.tight .nw:not(.n){white-space:normal}
    .flow,.flow tbody,.flow thead{display:block;min-width:0}.flow tr{display:flex;flex-wrap:wrap;
    gap:1px 14px;padding:7px 0;align-items:baseline}.flow thead tr{padding:0 0 7px;gap:7px 14px}
    .flow thead button{padding:0;margin:0;min-width:24px}
    .flow thead th{border:0;padding:0}.flow thead th:not([aria-sort]){position:absolute;clip-path:inset(50%)}
    .flow :is(th,td):not(#_){display:block;width:auto;min-width:0;padding:0;text-align:left}
    .flow tbody th[scope=row]{flex:1 1 60%;order:-2}.flow td:has(>.tag){order:-1}
    .flow td.dim2:not(.n){flex:1 0 100%}.flow td .sub{display:inline;margin-left:6px}
    .flow td:empty:not(#_){display:none}.flow td:has(>svg){align-self:center}
    .flow td[data-l]::before{content:attr(data-l) "\a0";color:var(--ink3);font-weight:400}
    .st>div{flex-wrap:wrap;gap:0}.st .sub{flex:1 0 100%;white-space:normal}td.in{min-width:170px}.verdict{font-size:21px}.drill{padding-left:0}}
    @media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
    @media (forced-colors:active){.h0,.h1,.h2,.h3,.h4,.h5{forced-color-adjust:none}
    .heat .t{border-color:Canvas}}
    @media print{.bar,.ctl,.vt,.js{display:none!important}body{background:#fff;color:#000;
    font-size:10pt}main{max-width:none;padding:0}
    tr,figure,h2{break-inside:avoid}h2,h3,h4{break-after:avoid}
    details::details-content{content-visibility:visible;block-size:auto}summary{list-style:none}
    *{print-color-adjust:exact;-webkit-print-color-adjust:exact}a{text-decoration:none}
    @page{size:landscape;margin:12mm}main,footer{zoom:.88}}
    """#
}
