(function(){var e=document.createElement(`style`);e.textContent=`:root{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark;--paper:var(--lightningcss-light,#f7f3ea)var(--lightningcss-dark,#1e1f1c);--sheet:var(--lightningcss-light,#fffdf7)var(--lightningcss-dark,#272824);--edge:var(--lightningcss-light,#ddd5c4)var(--lightningcss-dark,#3a3b35);--ink:var(--lightningcss-light,#2b2a26)var(--lightningcss-dark,#e9e5d9);--pale:var(--lightningcss-light,#686256)var(--lightningcss-dark,#a8a395);--accent:var(--lightningcss-light,#9a5b16)var(--lightningcss-dark,#f0b75c);--chosen:var(--lightningcss-light,#f3e3bf)var(--lightningcss-dark,#3d3623);--good:var(--lightningcss-light,#4b7431)var(--lightningcss-dark,#8fbf6a);--bad:var(--lightningcss-light,#a83a25)var(--lightningcss-dark,#ff9479);--health:var(--lightningcss-light,#b8503c)var(--lightningcss-dark,#d8705b);--food:var(--lightningcss-light,#c08a2c)var(--lightningcss-dark,#d9a94f);--wait:var(--lightningcss-light,#8a5f12)var(--lightningcss-dark,#d9a94f);--well:var(--lightningcss-light,#f1ebdd)var(--lightningcss-dark,#20211d);--strength:var(--lightningcss-light,#5f8a48)var(--lightningcss-dark,#86b06c);--past:var(--lightningcss-light,#3f5f86)var(--lightningcss-dark,#8fb4de);--past-wash:var(--lightningcss-light,#dfe8f2)var(--lightningcss-dark,#253243);--night:var(--lightningcss-light,#e9e6e6)var(--lightningcss-dark,#191b22);--society:var(--lightningcss-light,#9a5b16)var(--lightningcss-dark,#f0b75c);--people:var(--lightningcss-light,#2f7a78)var(--lightningcss-dark,#6cc0bb);--talk:var(--lightningcss-light,#7a5aa0)var(--lightningcss-dark,#b79adb);--work:var(--lightningcss-light,#6f7d5d)var(--lightningcss-dark,#93a27d);--shadow:0 2px 12px #00000038;--serif:"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif;--gap:.75rem;font-variant-numeric:tabular-nums;font:14px/1.4 system-ui,sans-serif}@media (prefers-color-scheme:dark){:root{--lightningcss-light: ;--lightningcss-dark:initial}}*{box-sizing:border-box}html,body{height:100%;margin:0;overflow:hidden}body{background:var(--paper);color:var(--ink)}h1,h2,h3,p,dl,dd,ol,ul{margin:0;padding:0}ol,ul{list-style:none}[hidden]{display:none!important}small{color:var(--pale);font-size:.86em;font-weight:400}:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}button,input{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--edge);border-radius:6px;padding:.25rem .7rem}button{cursor:pointer}button:hover{border-color:var(--accent)}button[aria-pressed=true]{background:var(--chosen);border-color:var(--accent)}#page{grid-template:auto minmax(0,1fr) auto/minmax(0,1fr) 22.75rem;height:100vh;display:grid}@supports (height:100dvh){#page{height:100dvh}}a.see{color:inherit;-webkit-text-decoration-color:color-mix(in srgb, currentColor 40%, transparent);text-decoration-color:color-mix(in srgb, currentColor 40%, transparent);text-underline-offset:.2em}a.see:hover{color:var(--accent)}h3{font:600 1rem / 1.3 var(--serif)}q{quotes:"“" "”";font-family:var(--serif);overflow-wrap:anywhere;font-style:italic}.label,.thing h3{letter-spacing:.055em;text-transform:uppercase;color:var(--pale);font:600 .78rem/1.4 system-ui,sans-serif}.thing h3 small{text-transform:none;letter-spacing:0;font-weight:400}.buttons{flex-wrap:wrap;gap:.5rem;display:flex}.chip{border:1px solid var(--edge);background:var(--sheet);white-space:nowrap;border-radius:6px;margin:0 .25rem .25rem 0;padding:0 .45rem;display:inline-block}.chip>i{border:1px solid #00000040;border-radius:3px;width:.75em;height:.75em;margin-right:.35rem;display:inline-block}a.button{color:inherit;background:var(--sheet);border:1px solid var(--edge);border-radius:6px;padding:.25rem .7rem;text-decoration:none}a.button:hover{border-color:var(--accent)}.pill{border:1px solid var(--edge);white-space:nowrap;color:var(--wait);border-radius:1rem;padding:0 .6rem;font:600 .8rem/1.5 system-ui,sans-serif}.pill:before{content:"● "}.pill[data-mood=good]{color:var(--good)}.pill[data-mood=bad]{color:var(--bad)}.seen,.told{border:1px solid var(--edge);color:var(--pale);border-radius:4px;padding:0 .3rem;font:600 .72rem/1.4 system-ui,sans-serif}.masthead{padding:.4rem var(--gap);border-bottom:1px solid var(--edge);white-space:nowrap;grid-column:1/-1;align-items:center;gap:1rem;display:flex}.masthead h1{font:600 1.35rem / 1.2 var(--serif);letter-spacing:.01em}.places{align-self:stretch;gap:1rem;margin:-.4rem 0;display:flex}.places a{color:var(--pale);text-transform:capitalize;border-bottom:2px solid #0000;align-items:center;text-decoration:none;display:flex}.places a:hover{color:var(--ink)}.places a[aria-current=page]{color:var(--ink);border-color:var(--accent);font-weight:600}.search{flex:0 22rem;min-width:6rem;position:relative}.search input{width:100%}#hits{z-index:3;background:var(--sheet);border:1px solid var(--edge);width:min(32rem,90vw);max-height:60vh;box-shadow:var(--shadow);white-space:normal;border-radius:8px;margin-top:.3rem;position:fixed;overflow-y:auto}#hits li{cursor:pointer;-webkit-line-clamp:2;border-block:.3rem solid #0000;-webkit-box-orient:vertical;padding:0 .7rem;display:-webkit-box;overflow:hidden}#hits li[aria-selected=true]{background:var(--chosen)}.masthead dl{gap:1.4rem;margin-left:auto;display:flex}.masthead dl div{align-items:baseline;gap:.4rem;display:flex}.masthead dt{color:var(--pale)}.masthead dd{font-weight:600}.state+#join-button{margin-left:auto}.sky{width:1em;height:1em;fill:var(--accent);vertical-align:-.12em;margin-right:.3em}.state{color:var(--pale);align-items:center;gap:.4rem;display:inline-flex}.state:before{content:"";background:var(--pale);border-radius:50%;width:.55rem;height:.55rem}.state[data-state=live]:before{background:var(--good)}.state[data-state=away]{color:var(--bad);font-weight:600}.state[data-state=away]:before{background:var(--bad)}.state[data-state=founding]{color:var(--wait);font-weight:600}.state[data-state=founding]:before{background:var(--wait)}.state[data-state=quiet]:before{background:var(--food)}.scene{background:#28324c;position:relative;overflow:hidden}.scene[data-state=founding]{grid-column:1/-1}.scene canvas{touch-action:none;cursor:grab;width:100%;height:100%;display:block;position:absolute;inset:0}.scene canvas:active{cursor:grabbing}.scene .overlay{pointer-events:none}.scene[data-state=away] canvas{filter:saturate(.35)brightness(.8)}.notice,.going-on,.help,.join{background:color-mix(in srgb, var(--sheet) 94%, transparent);border:1px solid var(--edge);box-shadow:var(--shadow);border-radius:10px;padding:.7rem .9rem;position:absolute}.notice{top:1rem;flex-wrap:wrap;align-items:center;gap:.4rem .8rem;width:-moz-fit-content;width:fit-content;max-width:46rem;margin-inline:auto;display:flex;inset-inline:.75rem}@media (min-width:62rem){.scene[data-empty=false] .notice{inset-inline:25.5rem 9.5rem}}.notice strong{color:var(--bad)}.notice.waits{pointer-events:none}.notice.waits strong{color:var(--wait,#8a5f12)}.notice.late{animation:0s .4s both late}@keyframes late{0%{visibility:hidden}}.notice form{gap:.4rem;display:flex}.society>.old{color:var(--bad);grid-column:1/-1}.going-on{left:var(--gap);top:var(--gap);width:min(24rem,100% - 1.5rem);font:1.05rem / 1.42 var(--serif)}.going-on .label{background:0 0;border:0;padding:0}.going-on>a{float:right;color:var(--pale);font:.86rem/1.4 system-ui,sans-serif}.going-on p{margin-top:.35rem}.going-on .what{font:.86rem/1.4 system-ui,sans-serif;display:block}.join{background:var(--sheet);z-index:4;gap:.6rem;width:min(38rem,100% - 1.5rem);max-height:calc(100% - 5rem);display:grid;top:4rem;left:50%;overflow:auto;translate:-50%}.join h2{font:600 1.2rem / 1.25 var(--serif)}.join pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--well);border-radius:6px;margin:0;padding:.6rem .8rem;font-size:.9em;overflow:auto}.join code{-webkit-user-select:all;user-select:all}.waiting{color:var(--wait);font-weight:600}.waiting[data-there=true]{color:var(--good)}.scene[data-empty=true]{background:repeating-linear-gradient(135deg, var(--well) 0 5px, var(--edge) 5px 6px)}.scene[data-empty=true] canvas{visibility:hidden}.scene[data-empty=true] :is(.views,.tools,.small-map){display:none}.founding{background:var(--sheet);border:1px solid var(--edge);width:min(35rem,100% - 1.5rem);max-height:calc(100% - 1.5rem);box-shadow:var(--shadow);border-radius:10px;padding:1.4rem 1.9rem;position:absolute;top:50%;left:50%;overflow:auto;translate:-50% -50%}.founding h2{font:600 1.6rem / 1.25 var(--serif);margin-bottom:.4rem}.founding .bar{height:8px;margin:.7rem 0 .3rem;display:block}.founding .bar i{transition:width .5s linear}.founding .far{justify-content:space-between;margin-bottom:.9rem;display:flex}.founding li{color:var(--pale);align-items:baseline;gap:.7rem;padding:.3rem 0;display:flex}.founding li span:first-letter{text-transform:uppercase}.founding li small{margin-left:auto}.founding li:before{content:"○";width:1em}.founding li[data-state=done]:before{content:"✓";color:var(--good)}.founding li[data-state=next]:before{content:"●";color:var(--wait)}.founding li[data-state=done],.founding li[data-state=next]{color:var(--ink)}@media (prefers-reduced-motion:reduce){.founding .bar i{transition:none}}.panel.one{scrollbar-gutter:stable;display:block;overflow-y:auto}.thing{flex-direction:column;display:flex}.thing>*{padding:.6rem var(--gap)}.thing>*+*{border-top:1px solid var(--edge)}.thing h2{font:600 1.35rem / 1.25 var(--serif);overflow-wrap:anywhere}.thing header .buttons{clear:both;margin-top:.4rem}.portrait{float:left;border-radius:6px;width:34px;height:42px;margin:.1rem .7rem .3rem 0;position:relative;overflow:hidden}.portrait:before{content:"";background:#d9a57c;border-top:6px solid #4a3524;border-radius:2px;height:15px;position:absolute;inset:8px 8px auto}.portrait[data-away=true]{filter:grayscale()}.thing .task{overflow-wrap:anywhere;margin-top:.3rem}.thing .task .bar{margin:.2rem 0;display:block}.thing .task strong:first-letter,.thing .none:first-letter{text-transform:uppercase}.because{color:var(--pale);overflow-wrap:anywhere;margin-top:.25rem}.because q{color:var(--ink);font-size:1.05rem}.lately li{overflow-wrap:anywhere;grid-template-columns:3rem minmax(0,1fr);gap:.5rem;padding:.12rem 0;display:grid}.lately .none{display:block}.lately time{color:var(--pale)}.lately .refused{color:var(--bad)}.achieved{flex-wrap:wrap;gap:.15rem .6rem;margin:0 0 .4rem;display:flex}.achieved strong{flex-basis:100%}.achieved span{color:var(--pale)}.achieved .done{color:var(--ink)}.achieved .done:before{content:"✓ ";color:var(--good)}.standing{grid-template-columns:1fr 1fr;gap:.2rem 1rem;display:grid}.standing div{grid-template-columns:4.2rem 1fr max-content;align-items:center;gap:.4rem;display:grid}.standing .figure{white-space:nowrap;text-align:right;min-width:1.8rem;font-weight:600}.society{grid-column:1/-1;grid-template-columns:14rem minmax(0,1fr) minmax(0,1fr);align-content:start;gap:1.2rem;padding:1rem;display:grid;overflow-y:auto}.society h2{font:600 1.3rem / 1.25 var(--serif);overflow-wrap:anywhere;margin-bottom:.5rem}.society nav{flex-direction:column;grid-row:span 3;gap:.3rem;display:flex}.society nav h2{letter-spacing:.055em;text-transform:uppercase;color:var(--pale);font:600 .78rem/1.4 system-ui,sans-serif}.society nav small{white-space:nowrap}.society nav p small{white-space:normal}.society nav button{text-align:left;background:0 0;border-color:#0000;justify-content:space-between;gap:.5rem;display:flex}.society nav button[aria-pressed=true]{background:var(--chosen);font-weight:600}.society .all{grid-column:2/-1}@media (min-width:50.01rem){#page>:is(main,.panel){grid-row:2}#page>.panel{grid-column:2}:is(.society,.matches)+.panel{box-shadow:var(--shadow)}}@media (min-width:80rem){#page>:is(.society,.matches):has(+.panel){grid-column:1}}.paper{background:var(--sheet);border:1px solid var(--edge);overflow-wrap:anywhere;border-radius:10px;margin-bottom:.6rem;padding:.7rem .9rem}.thing>.paper{background:0 0;border:0;border-radius:0;margin:0}.paper h3{justify-content:space-between;align-items:baseline;gap:.5rem;display:flex}.thing .paper h3{font:600 1.2rem / 1.3 var(--serif);text-transform:none;letter-spacing:0;color:var(--ink)}.paper h3:first-letter,.paper h3>span:first-child:first-letter{text-transform:uppercase}.stages{grid-template-columns:repeat(3,1fr);gap:.3rem;margin:.4rem 0;display:grid}.stages li{border-top:3px solid var(--edge);padding-top:.2rem}.stages li[data-on=true]{border-color:var(--accent);font-weight:600}.stages small{display:block}.turnout{background:var(--edge);border-radius:4px;height:8px;margin:.4rem 0;display:flex;position:relative;overflow:hidden}.turnout i{background:var(--pale)}.turnout [data-vote=yes]{background:var(--good)}.turnout [data-vote=no]{background:var(--bad)}.turnout b{background:var(--ink);width:2px;margin-left:-1px;position:absolute;top:0;bottom:0}.decision summary{cursor:pointer;list-style:none}.decision summary small{display:block}.decision [open] .brief{display:none}.decision .refusal{color:var(--bad)}.decision code{overflow-wrap:anywhere;font-size:.92em}#mind .read{white-space:pre-wrap;overflow-wrap:anywhere;border-left:2px solid var(--accent);max-height:16rem;margin:.3rem 0;padding:.4rem .5rem;font-size:.82em;overflow:auto}#mind summary{cursor:pointer}#mind h4{margin:.4rem 0 0;font-size:.9em}#mind .weighed{margin:.2rem 0;padding:0;list-style:none}#mind .weighed li{grid-template-columns:1.6rem 1fr 4rem 3.2rem;align-items:center;gap:.4rem;display:grid}#mind .weighed li.none{display:block}#mind .weighed [data-chosen=true]{font-weight:600}.series{margin:.3rem 0 0}.series svg{width:100%;height:44px;display:block}.series polyline{fill:none;stroke:var(--accent);stroke-width:1.6px;vector-effect:non-scaling-stroke}.series figcaption{justify-content:space-between;display:flex}.facts div{grid-template-columns:5.5rem minmax(0,1fr);gap:.5rem;padding:.1rem 0;display:grid}.facts dt{color:var(--pale)}.rights{display:grid}.rights span:before{content:"✓ ";color:var(--good)}.rights span[data-may=false]:before{content:"✕ ";color:var(--bad)}.paper h4{letter-spacing:.055em;text-transform:uppercase;color:var(--pale);margin:.7rem 0 .2rem;font:600 .78rem/1.4 system-ui,sans-serif}.works li{align-items:center;gap:.5rem;padding:.1rem 0;display:flex}.works .bar{flex:1}.wide{overflow-x:auto}table{border-collapse:collapse;background:var(--sheet);width:100%}th{text-align:left;letter-spacing:.055em;text-transform:uppercase;color:var(--pale);font:600 .78rem/1.4 system-ui,sans-serif}th,td{border-bottom:1px solid var(--edge);vertical-align:top;padding:.35rem .6rem}.posts li{overflow-wrap:anywhere;padding:.35rem 0}.posts li+li{border-top:1px solid var(--edge)}.vitals-table div{grid-template-columns:4.2rem 1fr 4.2rem;align-items:center;gap:.5rem;display:grid}.vitals-table dt{color:var(--pale)}.vitals-table .figure{text-align:right}.bar{background:var(--edge);border-radius:3px;height:6px;display:inline-block;overflow:hidden}.bar i{background:var(--accent);border-radius:3px;height:100%;display:block}.bar[data-vital=hp] i{background:var(--health)}.bar[data-vital=hunger] i{background:var(--food)}.bar[data-vital=stamina] i{background:var(--strength)}.tools{right:var(--gap);bottom:var(--gap);gap:.35rem;display:grid;position:absolute}.tools button:disabled{opacity:.45;cursor:default}.tools button{width:2.6rem;height:2.6rem;box-shadow:var(--shadow);place-items:center;padding:0;display:grid}.tools svg{fill:none;stroke:currentColor;stroke-width:1.5px;stroke-linecap:round;stroke-linejoin:round;width:1.25rem}.views{top:var(--gap);right:var(--gap);box-shadow:var(--shadow);border-radius:6px;display:flex;position:absolute}.views button{border-radius:6px 0 0 6px;padding-block:.3rem}.views button+button{border-radius:0 6px 6px 0;margin-left:-1px}kbd{border:1px solid var(--edge);color:var(--pale);background:var(--sheet);border-radius:4px;padding:0 .35em;font:600 .8em/1.4 system-ui,sans-serif}.layers{left:var(--gap);top:var(--gap);width:15.5rem;max-width:calc(100% - 1.5rem);box-shadow:var(--shadow);border:1px solid var(--edge);background:color-mix(in srgb, var(--sheet) 94%, transparent);border-radius:10px;padding:.7rem .9rem;position:absolute}.layers .label{background:0 0;border:0;justify-content:space-between;width:100%;padding:0;display:flex}.layers label{cursor:pointer;grid-template-columns:auto 1fr auto;align-items:center;gap:.5rem;min-height:1.65rem;display:grid}.layers input{accent-color:var(--accent);margin:0}.heat{grid-template-columns:1fr auto;margin-top:.4rem;display:grid}.heat i{background:linear-gradient(90deg,#e6961e1a,#d2691e80,#be3c1ee6);border-radius:4px;grid-column:1/-1;height:7px}.deeds{flex-wrap:wrap;gap:.3rem;margin-top:.4rem;display:flex}.deeds button{padding:.05rem .55rem;font-size:.92em}.scene .small-map{right:calc(var(--gap) + 3.2rem);bottom:var(--gap);border:2px solid var(--sheet);width:168px;height:168px;box-shadow:var(--shadow);padding:0;position:absolute;overflow:hidden}.scene .small-map canvas{cursor:pointer;pointer-events:none}.small-map span{background:color-mix(in srgb, var(--sheet) 85%, transparent);color:var(--pale);border-radius:6px 0 0;padding:0 .3rem;font-size:.8rem;position:absolute;bottom:0;right:0}.help{z-index:4;background:var(--sheet);width:min(56rem,100% - 1.5rem);max-height:calc(100% - 5rem);top:4rem;left:50%;overflow:auto;translate:-50%}.help dl:first-child{columns:2;column-gap:2rem}.help dl{margin-bottom:.6rem}.help div{break-inside:avoid;grid-template-columns:9.5rem 1fr;gap:.6rem;padding:.1rem 0;display:grid}.help dt{font-weight:600}.help h2{font:600 1rem / 1.3 var(--serif)}.panel{background:var(--paper);border-left:1px solid var(--edge);grid-template:minmax(0,11fr) minmax(0,9fr)/minmax(0,1fr);min-height:0;display:grid}.panel section{flex-direction:column;min-height:0;display:flex}.panel section+section{border-top:1px solid var(--edge)}.heading{padding:.45rem var(--gap);flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.6rem;display:flex}.heading h2{font:600 1.05rem / 1.3 var(--serif)}.heading select{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--edge);border-radius:6px;margin-inline-start:auto;padding:.2rem .3rem;font-size:.85rem}.row .figure{font-variant-numeric:tabular-nums}#next ul,.candidates{gap:.2rem;margin:0;padding:0;list-style:none;display:grid}#next li{justify-content:space-between;gap:.6rem;font-size:.86rem;display:flex}#next small{white-space:nowrap;font-variant-numeric:tabular-nums}#building .buttons{margin-block:.4rem .5rem}.heading input{width:8.5rem;padding:.15rem .5rem}.tabs,.grip{display:none}.none{color:var(--pale);padding:.3rem var(--gap)}.rows{scrollbar-width:thin;flex:1;position:relative;overflow-y:auto}.row{height:48px;padding:5px var(--gap) 4px 1.5rem;cursor:pointer;grid-template:1fr 1fr/minmax(0,1fr) auto;align-items:center;column-gap:.6rem;line-height:1.25;display:grid;position:absolute;inset:0 0 auto}.row:hover{background:color-mix(in srgb, var(--chosen) 45%, transparent)}.row[aria-selected=true]{background:var(--chosen)}.row[data-marked=true]{outline:2px solid var(--accent);outline-offset:-2px}.row[data-away=true]{color:var(--pale)}.row .dye{background:var(--edge);border-radius:3px;width:.5rem;height:30px;position:absolute;top:9px;left:.6rem}.row .name{text-overflow:ellipsis;white-space:nowrap;font-weight:600;overflow:hidden}.row .doing,.row .where{color:var(--pale);text-overflow:ellipsis;white-space:nowrap;overflow:hidden}.row .where{text-align:right}.row .doing:last-child{grid-column:1/-1}.says{font-style:italic}.vitals{gap:3px;display:flex}.vitals .bar{width:2rem}.sorts{gap:.3rem;display:flex}.sorts button{color:var(--pale);padding:.05rem .5rem;font-size:.9em}.sorts button[aria-pressed=true]{color:var(--ink)}#events{padding:0 var(--gap) .5rem;scrollbar-width:thin;flex:1;overflow-y:auto}#events li{overflow-wrap:anywhere;grid-template-columns:3.4rem minmax(0,1fr);gap:.5rem;padding:.14rem 0;display:grid}#events li.none{padding-inline:0;display:block}#events time{color:var(--pale);text-align:right}#events .who{font-weight:600}#events q{quotes:"“" "”";font-style:italic;display:block}#events [data-sort=work]{color:var(--pale)}#events [data-sort=work] .who{font-weight:500}.lane{border-top:1px solid var(--edge);grid-area:3/1/auto/-1;grid-template-columns:20.5rem minmax(0,1fr) 12rem;height:6.6rem;display:grid;position:relative}.lane[data-time=past]{background:var(--past-wash)}.lane .clock{padding-inline:var(--gap);flex-direction:column;justify-content:center;gap:.4rem;display:flex}.lane .clock p{white-space:nowrap;align-items:baseline;gap:.5rem;display:flex}.lane .clock strong{font-size:1.05rem}.lane[data-time=past] small{color:var(--past)}.pill[data-mood=past]{color:var(--past);background:var(--sheet)}.transport{gap:.3rem;display:flex}.transport button{width:2.1rem;height:2rem;padding:0}.transport svg{fill:none;stroke:currentColor;stroke-width:1.8px;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.2rem;width:1.15rem}.transport .play svg{fill:currentColor;stroke-width:3px}.transport button:disabled{opacity:.45;cursor:default}.transport .play{background:var(--ink);color:var(--paper)}.transport select{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--edge);border-radius:6px}.track{cursor:pointer;touch-action:none;position:relative}.track canvas{width:100%;height:100%;position:absolute;inset:0}.legend{border-left:1px solid var(--edge);grid-template-columns:auto auto;align-content:center;gap:.1rem .8rem;padding:.4rem .7rem;font-size:.86rem;display:grid}.legend ul{display:grid}.legend li{white-space:nowrap}.legend li:first-letter{color:var(--society)}.legend li[data-sort=people]:first-letter{color:var(--people)}.legend li[data-sort=talk]:first-letter{color:var(--talk)}.legend li[data-sort=work]:first-letter{color:var(--work)}.legend [role=group]{display:grid}.legend button{text-align:left;color:var(--pale);white-space:nowrap;background:0 0;border:0;padding:0 .2rem}.legend button[aria-pressed=true]{color:var(--ink);background:0 0;font-weight:600}.legend small{grid-column:1/-1}.marks-list{z-index:3;background:var(--sheet);border:1px solid var(--edge);max-height:40vh;box-shadow:var(--shadow);clip-path:inset(50%);pointer-events:none;border-radius:10px;padding:.4rem;position:absolute;bottom:100%;left:19.5rem;overflow-y:auto}.marks-list:focus-within{clip-path:none;pointer-events:auto}.marks-list button{text-align:left;background:0 0;border:0;width:100%}.past-banner{z-index:2;top:var(--gap);background:var(--past-wash);width:-moz-fit-content;width:fit-content;max-width:40rem;color:var(--ink);border:1.5px solid var(--past);box-shadow:var(--shadow);border-radius:10px;grid-template-columns:minmax(0,auto) auto;align-items:center;gap:0 1rem;margin-inline:auto;padding:.4rem .8rem;display:grid;position:absolute;inset-inline:25.5rem 9.5rem}.society .past-banner{grid-column:1/-1;position:static}.society[data-time=past],.story[data-time=past]{box-shadow:inset 0 0 0 3px var(--past)}.compare{pointer-events:none;position:absolute;inset:0}.compare .kept,.scene .compare canvas{width:100%;height:100%;position:absolute;inset:0}.compare .kept{clip-path:inset(0 0 0 var(--share))}.compare:after{content:"";inset-block:0;left:var(--share);width:3px;box-shadow:var(--shadow);background:#fffdf7;margin-left:-1.5px;position:absolute}.compare input{z-index:2;appearance:none;background:0 0;border:0;width:calc(100% + 2.6rem);margin:0 -1.3rem;padding:0;position:absolute;inset:auto 0 22%}.compare input::-webkit-slider-thumb{appearance:none;pointer-events:auto;cursor:ew-resize;background:var(--sheet) radial-gradient(var(--accent) 20%, transparent 24%);border:1px solid var(--edge);width:2.6rem;height:2.6rem;box-shadow:var(--shadow);border-radius:50%}.compare input::-moz-range-thumb{pointer-events:auto;cursor:ew-resize;background:var(--sheet);border:1px solid var(--edge);border-radius:50%;width:2.6rem;height:2.6rem}.compare p{z-index:1;bottom:var(--gap);left:var(--gap);background:var(--sheet);border:1px solid var(--edge);box-shadow:var(--shadow);border-radius:10px;padding:.3rem .8rem;position:absolute}.compare .moment-shown{pointer-events:auto}.compare .moment-kept{pointer-events:auto;left:auto;right:18rem}.compare .kept[data-live=false]{filter:saturate(.78)sepia(.12)}.compare strong{display:inline-block}.compare strong:first-letter{text-transform:uppercase}.foot{z-index:2;bottom:calc(var(--gap) + .4rem);inset-inline:var(--gap) 15.5rem;pointer-events:none;justify-items:center;gap:.4rem;display:grid;position:absolute}.tour,.toast{background:var(--sheet);border:1px solid var(--edge);max-width:32rem;box-shadow:var(--shadow);border-radius:10px;padding:.35rem .8rem}.tour{border-color:var(--accent)}.effects .lately{overflow:visible}:is(.effects,#gone) .lately li{grid-template-columns:4.2rem minmax(0,1fr)}.effects summary{cursor:pointer}.event h4{letter-spacing:.055em;text-transform:uppercase;color:var(--pale);margin:.8rem 0 .2rem;font:600 .78rem/1.4 system-ui,sans-serif}.event .lately li[data-after=false] span{color:var(--pale)}.event .lately{overflow:visible}.event ul.lately li{display:block}.event ol.lately li{grid-template-columns:4.2rem minmax(0,1fr)}button.see{font:inherit;background:0 0;border:0;padding:0;text-decoration:underline}.legend #typed{width:6.2rem;min-height:0;padding:0 .3rem;font-size:.82rem}:is(.chronicle .see:has(.did),.event .see:has(.did)){color:inherit;border:0;text-decoration:none}:is(.chronicle .see:has(.did):hover,.chronicle .see:has(.did):focus-visible){text-decoration:underline}#complaint{z-index:3;right:var(--gap);background:var(--sheet);border:1px solid var(--edge);border-radius:6px;padding:.2rem .6rem;position:absolute;bottom:100%}.past-banner strong{color:var(--past);overflow-wrap:anywhere}.past-banner button{color:var(--good);white-space:nowrap;grid-area:1/2/span 2;font-weight:600}.past-banner kbd{color:var(--pale);border:1px solid var(--edge);border-radius:4px;padding:0 .3rem;font:.8rem system-ui,sans-serif}.scene[data-time=past]:after{content:"";pointer-events:none;box-shadow:inset 0 0 0 3px var(--past), inset 0 0 5rem color-mix(in srgb, var(--past) 35%, transparent);position:absolute;inset:0}.scene[data-time=past] #scene{filter:saturate(.78)sepia(.12)}.state[data-state=past]{color:var(--past);font-weight:600}.state[data-state=past]:before{background:var(--past)}a.moment{text-decoration-line:none}a.moment:hover,a.moment:focus-visible{text-decoration-line:underline}@media (max-width:70rem){.masthead .seldom{display:none}}@media (max-width:50rem){#page{grid-template:auto minmax(0,1fr) auto minmax(0,36%)/minmax(0,1fr)}.grip{z-index:1;background:var(--paper);border:0;border-radius:0;width:100%;height:1.7rem;padding:0;display:block;position:sticky;top:0}.grip:before{content:"";background:var(--pale);border-radius:3px;width:3rem;height:5px;margin:auto;display:block}.scene[data-state=founding]{grid-row:2/-1}.lane{grid-template-rows:auto 5.2rem;grid-template-columns:minmax(0,1fr);height:auto}.past-banner{inset-inline:.75rem}.scene[data-time=past] .going-on,.past-banner span{display:none}.lane .clock{flex-flow:wrap;justify-content:space-between;gap:.2rem;padding-block:.3rem}.transport button{width:2.75rem;height:2.75rem}.legend{display:none}.masthead{gap:.7rem}.masthead dl{gap:.8rem}.masthead dt,.seldom{display:none!important}.panel{border-left:0;border-top:1px solid var(--edge);grid-template-rows:auto auto minmax(0,1fr)}.tabs{padding:.4rem var(--gap) 0;gap:.4rem;display:flex}.tabs button{text-transform:capitalize;flex:1;min-height:2.4rem}.panel[data-tab=people] .chronicle,.panel[data-tab=lately] .roster{display:none}.panel section+section{border-top:0}.heading h2{display:none}.heading input{width:100%;min-height:2.2rem}.sorts button{min-height:2.2rem;padding-inline:.9rem}.search{flex:4.5rem;min-width:4.5rem}#hits{left:5vw}#page{padding-bottom:3.2rem}.places{z-index:5;background:var(--paper);border-top:1px solid var(--edge);gap:0;height:3.2rem;margin:0;position:fixed;inset:auto 0 0}.places a{border-top:2px solid #0000;border-bottom:0;flex:1;justify-content:center}.masthead{flex-wrap:wrap}.views,#next li+li{display:none}.foot{inset-inline:var(--gap) 4.5rem}.compare .moment-kept{right:4rem}.compare small{display:none}.layers{width:auto}.layers label{min-height:2.2rem}.going-on{padding:.4rem .6rem;font-size:.95rem}.going-on .what,.going-on p:nth-of-type(n+2){display:none}.going-on p{-webkit-line-clamp:2;-webkit-box-orient:vertical;display:-webkit-box;overflow:hidden}.help,.join{left:.75rem;translate:none}.help dl:first-child{columns:1}.society{grid-row:2/-1;grid-template-columns:minmax(0,1fr)}.society .all{grid-column:auto}.society+.panel{grid-area:4/1}.panel{grid-row:4}#page:has(>.match){grid-template-rows:auto minmax(0,1fr) auto minmax(0,28%)}}@media (max-width:50rem) and (orientation:portrait){#page:has(>[data-sheet=low]){grid-template-rows:auto minmax(0,1fr) auto 7.5rem}#page:has(>[data-sheet=high]){grid-template-rows:auto minmax(0,1fr) auto minmax(0,62%)}#page:has(>[data-sheet=high]) :is(.tools,.layers,.going-on){display:none}}@media (max-width:50rem) and (orientation:landscape){#page{grid-template:auto minmax(0,1fr) auto/minmax(0,1fr) 17rem}.lane{grid-row:3}#page>.scene{grid-area:2/1}#page>.panel{grid-area:2/2;grid-template-rows:auto minmax(0,1fr)}.grip{display:none}.masthead{grid-column:1/-1}.panel{border-top:0;border-left:1px solid var(--edge)}}@media (max-height:600px){#next{display:none}}.why blockquote{border-left:3px solid var(--accent);font:1.05rem / 1.45 var(--serif);overflow-wrap:anywhere;margin:.3rem 0;padding-left:.7rem}#agent-why .memory{overflow-wrap:anywhere;max-height:12rem;font-size:.86em;overflow-y:auto}.beside .kept[data-hidden=true]{visibility:hidden}.beside .kept canvas{pointer-events:none}.compare.beside .side-name{bottom:auto;top:var(--gap);left:calc(var(--share) / 2);text-align:center;max-width:min(22rem,34%);translate:-50%}.compare.beside .side-name.there{left:calc((100% + var(--share)) / 2)}.beside .side-name small,.differences .key{border-bottom:2px solid var(--accent)}.beside .side-name.there small,.differences .key.there{border-bottom-color:var(--past)}.beside .side-name em{color:var(--pale)}.of-run{padding:.5rem var(--gap) 0;margin:0}.of-run small{border-bottom:2px solid var(--accent)}.of-run.there small{border-bottom-color:var(--past)}.of-run strong{text-transform:capitalize}.differences{padding:.8rem var(--gap);overflow-y:auto}.differences h2,.differences h3{font:600 1.15rem / 1.3 var(--serif);margin:0 0 .4rem}.differences h3{margin-top:1rem;font-size:1rem}.differences p{margin:0 0 .5rem}.differences ol{margin:0;padding:0;list-style:none}.differences li{border-left:3px solid var(--accent);margin-bottom:.35rem}.differences li[data-side=there]{border-left-color:var(--past)}.differences li button{text-align:left;width:100%;font:inherit;color:inherit;overflow-wrap:anywhere;background:0 0;border:0;padding:.15rem .6rem;display:block}.differences li button:hover{background:var(--wash)}.differences li small{color:var(--pale);white-space:nowrap}.curves{grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.6rem;display:grid}.curves figure{margin:0}.curves figcaption{justify-content:space-between;gap:.4rem;font-size:.85rem;display:flex}.curves svg{border-bottom:1px solid var(--edge);width:100%;height:3.6rem;display:block}.curves polyline{fill:none;stroke:var(--accent);stroke-width:2px;vector-effect:non-scaling-stroke}.curves polyline.there{stroke:var(--past);stroke-dasharray:5 3}.curves .split{stroke:var(--pale);stroke-width:1px;stroke-dasharray:2 3;vector-effect:non-scaling-stroke}.curves figcaption small{white-space:nowrap}.curves svg{cursor:pointer}.curves b.here{color:var(--accent)}.curves b.there{color:var(--past)}@media (max-width:50rem){.compare.beside .side-name{max-width:45%}}.what-if>:is(label,p){margin:.35rem 0;display:block}.what-if ul{margin:.8rem 0 0;padding:0;list-style:none}.what-if li{border-top:1px solid var(--edge);padding:.3rem 0}.two .sides{gap:var(--gap);grid-template-columns:repeat(2,minmax(0,1fr));display:grid}.two h2{overflow-wrap:anywhere;font-size:1rem}.two .key{border-bottom:2px solid var(--accent)}.two .key.there{border-bottom-color:var(--past)}.two .stage{min-height:12rem;max-height:60vh}.two .scrub{margin-top:.6rem;position:relative}.two .scrub input{width:100%}.two .scrub .split{background:var(--past);width:2px;position:absolute;top:-.3rem;bottom:-.3rem}.beside-choice{margin-right:.6rem}@media (max-width:50rem){.two .sides{grid-template-columns:minmax(0,1fr)}}.film-about{width:min(40rem,100% - 1.5rem)}.film-about dl:first-of-type{columns:1;margin-block:.6rem}.film-about code{overflow-wrap:anywhere}.film-about button{margin-top:.6rem}.story{grid-template:minmax(0,1fr)/auto minmax(0,1fr);min-height:0;display:grid}.days{border-right:1px solid var(--edge);scrollbar-width:thin;width:14.5rem;padding:.9rem .6rem;overflow-y:auto}.days h2{padding:0 .5rem .4rem}.days a{color:inherit;border-radius:6px;justify-content:space-between;align-items:end;padding:.25rem .5rem;text-decoration:none;display:flex}.days a:hover{background:var(--chosen)}.days .day{font:600 1.05rem / 1.3 var(--serif);margin-top:.35rem}.days svg{fill:var(--lightningcss-light,#7d8b6a)var(--lightningcss-dark,#93a27d);width:40px;height:14px}.telling{flex-direction:column;grid-column:2;min-height:0;display:flex;position:relative}#stream{scrollbar-width:thin;overflow-anchor:none;flex:1;padding:1.2rem max(3.6rem,50% - 20rem);overflow-y:auto}#stream li{font:1.15rem / 1.52 var(--serif);white-space:pre-wrap;overflow-wrap:anywhere;margin-bottom:.9rem;position:relative}#stream li[data-channel=USER]{color:var(--pale);border-left:3px solid var(--accent);padding-left:.8rem}#stream b{font-variant:small-caps;letter-spacing:.04em;color:var(--accent);font:600 .9rem/1.3 system-ui,sans-serif;display:block}#stream .hour{white-space:nowrap;overflow-wrap:normal;color:var(--pale);font:.86rem/1.3 system-ui,sans-serif;text-decoration:none;position:absolute;top:.35rem;right:calc(100% + .7rem)}#stream a.hour:hover,.watch:hover{color:var(--accent);text-decoration:underline}#stream .divide{white-space:normal;align-items:center;gap:.7rem;margin:1.1rem 0 .5rem;display:flex}#stream .divide h2{font:600 2rem / 1.2 var(--serif)}#stream .divide h2 small{margin-left:.5rem;font:.9rem/1.3 system-ui,sans-serif}#stream .divide hr{border:0;border-top:1px solid var(--edge);flex:1}#stream .divide small{font:.86rem/1.3 system-ui,sans-serif}#stream li[data-id]{border-radius:6px}#stream li[data-id]:hover{background:color-mix(in srgb, var(--chosen) 45%, transparent);box-shadow:0 0 0 .4rem color-mix(in srgb, var(--chosen) 45%, transparent)}#stream data{cursor:pointer}#stream data:hover{-webkit-text-decoration:underline dotted color-mix(in srgb, var(--pale) 70%, transparent);text-decoration:underline dotted color-mix(in srgb, var(--pale) 70%, transparent);text-underline-offset:.25em}#stream data[data-asked=true]{background:var(--chosen);border-radius:4px}.why-link{z-index:1;background:var(--sheet);box-shadow:var(--shadow);color:var(--accent);opacity:0;pointer-events:none;border:0;border-radius:6px;padding:.15rem .5rem;font:.86rem/1.3 system-ui,sans-serif;position:absolute}.why-link:before{content:"why?"}.why-link:focus-visible{opacity:1}.with{color:var(--pale);padding:.6rem max(3.6rem,50% - 20rem) 0}#in-passage li{border:0;justify-content:space-between;padding:.1rem 0;display:flex}#in-passage ul{margin:.2rem 0 .4rem}#stream .none{color:var(--pale)}.watch{color:var(--pale);white-space:nowrap;font:.9rem/1.3 system-ui,sans-serif;text-decoration:none}#earlier{margin:.5rem auto 0}#below{box-shadow:var(--shadow);position:absolute;bottom:7rem;left:50%;translate:-50%}.complaint{padding:.5rem var(--gap);background:var(--sheet);border-bottom:1px solid var(--edge);color:var(--bad);overflow-wrap:anywhere;flex-wrap:wrap;align-items:center;gap:.4rem .8rem;display:flex}.complaint button{color:var(--ink)}#composer{padding:.6rem max(var(--gap), calc(50% - 20rem));grid-template:auto auto/minmax(0,1fr) auto;gap:.3rem .6rem;display:grid}#composer textarea,#composer select{font:inherit;color:inherit;background:var(--sheet);border:1px solid var(--edge);border-radius:6px;padding:.35rem .6rem}#composer #words{resize:vertical;max-height:40vh;font:1.05rem / 1.45 var(--serif)}#controls{flex-direction:column;gap:.3rem;display:flex}#keys{color:var(--pale);grid-column:1/-1;font-size:.86em}.story-side>*{padding:.7rem var(--gap);border-bottom:1px solid var(--edge);overflow-wrap:anywhere}.story-side summary{cursor:pointer;font-weight:600}.story-side h3{margin-top:.7rem}.story-side li{border-top:1px solid var(--edge);white-space:pre-wrap;padding:.3rem 0}.story-side li small{display:block}.story-side .none{padding:.2rem 0}@media (max-width:50rem){#page:has(>.story){grid-template-rows:auto auto minmax(0,1fr)}.story{grid-row:3;grid-template-columns:minmax(0,1fr)}.days{display:none}#stream .divide h2 small{margin:0;display:block}.telling{grid-column:1}.story-side,.story~.panel{border-bottom:1px solid var(--edge);grid-row:2;max-height:45vh}.story-side>*{padding-block:.35rem}.story-side .newest,.story-side br{display:none}#stream{padding-inline:3.4rem var(--gap)}#composer{grid-template-columns:minmax(0,1fr)}#controls{flex-direction:row}#controls>*{flex:1;min-width:0;min-height:2.75rem}#composer #words{font-size:16px}#keys{display:none}}.yesterday{border-bottom:1px solid var(--edge);max-height:40%;padding:.5rem 1rem;overflow-y:auto}.yesterday summary{cursor:pointer;font:600 1rem / 1.4 var(--serif)}.yesterday ul{margin:.4rem 0 0;padding:0;list-style:none}.yesterday li{font:1rem / 1.4 var(--serif);grid-template-columns:3.2rem minmax(0,1fr);margin:.2rem 0;display:grid}.yesterday a{color:var(--pale);font:.86rem/1.6 system-ui,sans-serif;text-decoration:none}.yesterday a:hover{color:var(--accent);text-decoration:underline}:root{--seat-0:var(--lightningcss-light,#c4552d)var(--lightningcss-dark,#e0825c);--seat-1:var(--lightningcss-light,#3f6f9e)var(--lightningcss-dark,#7fb0de);--seat-2:var(--lightningcss-light,#6b7d3a)var(--lightningcss-dark,#a5ba6c);--seat-3:var(--lightningcss-light,#7a5aa0)var(--lightningcss-dark,#b79adb);--seat-4:var(--lightningcss-light,#9a5b16)var(--lightningcss-dark,#f0b75c);--seat-5:var(--lightningcss-light,#2f7a78)var(--lightningcss-dark,#6cc0bb);--seat-6:var(--lightningcss-light,#8a5f12)var(--lightningcss-dark,#d9a94f);--seat-7:var(--lightningcss-light,#6d675b)var(--lightningcss-dark,#a8a395)}[data-seat="0"]{--seat:var(--seat-0)}[data-seat="1"]{--seat:var(--seat-1)}[data-seat="2"]{--seat:var(--seat-2)}[data-seat="3"]{--seat:var(--seat-3)}[data-seat="4"]{--seat:var(--seat-4)}[data-seat="5"]{--seat:var(--seat-5)}[data-seat="6"]{--seat:var(--seat-6)}[data-seat="7"]{--seat:var(--seat-7)}.fault,[data-fault=true]{color:var(--bad)}.match{flex-direction:column;gap:.8rem;min-height:0;padding:1rem 2rem;display:flex;overflow-y:auto}.match header{flex-wrap:wrap;align-items:center;gap:.2rem 1rem;display:flex}.match header nav{color:var(--pale);overflow-wrap:anywhere;flex-basis:100%}.match header nav a{color:inherit}.match h2{font:600 1.6rem / 1.25 var(--serif);overflow-wrap:anywhere;flex:1}.match .problem{color:var(--bad)}.seats{grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.6rem;display:grid}.seats li{background:var(--sheet);border:1px solid var(--edge);overflow-wrap:anywhere;border-radius:8px;align-items:center;gap:.6rem;padding:.5rem .8rem;display:flex}.seats li[data-turn=true]{border-color:var(--accent)}.seats .disc{background:var(--seat);border-radius:50%;flex:none;width:1.1rem;height:1.1rem}.seats .figure{margin-left:auto;font-weight:600}.stage{flex:1 0 auto;place-items:center;min-width:0;min-height:12rem;display:grid}.stage[data-view=rounds],.stage[data-view=text]{place-items:start stretch}.board{background:var(--lightningcss-light,#e6d5b0)var(--lightningcss-dark,#4a4130);border-radius:14px;max-width:100%;height:min(60vh,40rem);display:block}.board circle{fill:var(--paper);stroke:color-mix(in srgb, var(--edge) 60%, #b89b5e);stroke-width:.025px}.board .disc circle{fill:var(--seat);stroke:none}.board path{fill:none;stroke:#fff;stroke-width:.08px;stroke-linecap:round}.board text{text-anchor:middle;fill:var(--ink);font:600 .5px/1 system-ui,sans-serif}.board .disc text{fill:#fff}.board .column{fill:var(--pale);font-size:.3px}.board [data-won=true] circle{stroke:var(--ink);stroke-width:.11px}.to-world{margin-block-end:.6rem}.board [data-changed=true] circle{stroke:var(--ink);stroke-width:.06px}.rounds{background:var(--sheet);border:1px solid var(--edge);border-radius:10px;gap:.6rem;min-width:0;padding:.8rem 1rem;display:grid;overflow-x:auto}.rounds h3{justify-content:space-between;gap:1rem;display:flex}.rounds h3 span{text-transform:none;letter-spacing:0;font-weight:400}.rounds table{background:0 0;justify-self:start;width:auto}.rounds th,.rounds td{vertical-align:middle;text-transform:none;letter-spacing:0;border:0;padding:1px}.rounds th{white-space:nowrap;text-overflow:ellipsis;max-width:10rem;padding-right:.6rem;overflow:hidden}.rounds td[data-now=true]{outline:2px solid var(--ink);border-radius:4px}.rounds .cell{vertical-align:middle;background:var(--well);border:1px solid var(--edge);border-radius:4px;place-items:center;min-width:1.15rem;height:1.15rem;font:600 .72rem/1 system-ui,sans-serif;display:inline-grid}.rounds .cell[data-kind="1"]{background:var(--accent);border-color:var(--accent);color:var(--sheet)}.rounds .cell[data-kind="2"]{background:var(--chosen)}.rounds .cell[data-fault=true]{border:2px solid var(--bad)}.rounds svg{width:100%;height:9rem}.rounds polyline{fill:none;stroke:var(--seat);stroke-width:2px;vector-effect:non-scaling-stroke}.rounds polyline[data-seat="1"]{stroke-dasharray:6 3}.rounds line{stroke:var(--ink);stroke-width:1.5px;vector-effect:non-scaling-stroke}.rounds .now .disc{background:var(--seat);border-radius:50%;width:.7rem;height:.7rem;margin-right:.4rem;display:inline-block}.rounds .now span>small{display:block}.rounds .now li{border-top:1px solid var(--edge);overflow-wrap:anywhere;grid-template-columns:9rem minmax(0,1fr) minmax(0,1fr);gap:.6rem;padding:.35rem 0;display:grid}.summary{background:var(--sheet);border:1px solid var(--edge);border-radius:10px;padding:.4rem 1rem}.summary div{border-top:1px solid var(--edge);grid-template-columns:10rem minmax(0,1fr);gap:.8rem;padding:.4rem 0;display:grid}.summary div:first-child{border-top:0}.summary dt{color:var(--pale);overflow-wrap:anywhere}.summary dd{white-space:pre-wrap;overflow-wrap:anywhere;max-height:20rem;font-family:ui-monospace,monospace;overflow-y:auto}.summary div[data-changed=true] dt:before{content:"● ";color:var(--accent)}.scrub{margin:0 .5rem;position:relative}.scrub input{width:100%;accent-color:var(--accent);background:0 0;border:0;min-height:2.2rem;margin:0;padding:0}.scrub i{background:var(--accent);pointer-events:none;border-radius:2px;width:3px;height:1.4rem;position:absolute;top:.4rem}.scrub i[data-fault=true]{background:var(--bad)}.match footer{background:var(--paper);padding-bottom:.4rem;position:sticky;bottom:-1rem}.match footer .buttons{align-items:center}.match footer button{min-width:2.75rem;min-height:2.4rem}#where{color:var(--pale);margin-left:.4rem}.match-side section{padding:.6rem var(--gap)}.match-side h4{font:inherit;color:var(--pale);margin:.5rem 0 .2rem}.match-side pre{background:var(--well);border:1px solid var(--edge);white-space:pre-wrap;overflow-wrap:anywhere;border-radius:6px;max-height:16rem;margin:0;padding:.5rem .6rem;font:.86em/1.45 ui-monospace,monospace;overflow-y:auto}.match-side blockquote{border-left:3px solid var(--edge);font:italic 1rem / 1.42 var(--serif);white-space:pre-wrap;overflow-wrap:anywhere;max-height:16rem;margin:.4rem 0 .1rem;padding-left:.7rem;overflow-y:auto}.match-side #judged{overflow-wrap:anywhere;margin-top:.4rem}.moves{scrollbar-width:thin;max-height:17rem;overflow-y:auto}.moves li{grid-template-columns:2.4rem repeat(auto-fit,minmax(5rem,1fr));align-items:center;display:grid}.moves small{text-align:right;padding-right:.5rem}.plain{text-align:left;text-overflow:ellipsis;white-space:nowrap;background:0 0;border-color:#0000;padding:.1rem .4rem;overflow:hidden}.plain[data-fault=true]{color:var(--bad)}.plain[aria-current=step]{background:var(--chosen);border-color:var(--accent);font-weight:600}#jumps .plain{text-underline-offset:.2em;text-decoration:underline}@media (max-width:50rem){.match{padding:.6rem var(--gap)}.seats{grid-template-columns:repeat(auto-fit,minmax(9rem,1fr))}.stage[data-view=board]{flex:1 1 0;min-height:9rem;container-type:size}.board{height:auto;width:min(100cqw, 100cqh * var(--ratio))}.rounds .now li{grid-template-columns:6rem minmax(0,1fr)}.summary div{grid-template-columns:minmax(0,1fr);gap:.1rem}}.matches{flex-direction:column;grid-column:1/-1;gap:.7rem;padding:1rem 2rem;display:flex;overflow-y:auto}.matches header{flex-wrap:wrap;align-items:center;gap:.6rem 1rem;display:flex}.matches h2{font:600 1.6rem / 1.25 var(--serif)}.matches code{background:var(--well);border-radius:4px;padding:.1rem .3rem}.matches td,.matches th{overflow-wrap:anywhere}.matches .name{text-transform:none;letter-spacing:0;color:var(--ink);font-size:1em}.matches .wide{flex:none}.drop{cursor:pointer;border:1px dashed var(--edge);border-radius:6px;margin-left:auto;padding:.25rem .7rem}.drop:focus-within{outline:2px solid var(--accent)}.drop input{opacity:0;width:1px;height:1px;position:absolute}#cross{width:auto}.reach{vertical-align:middle;width:150px;height:14px}.reach line{stroke:var(--edge);stroke-width:3px}.reach circle{fill:var(--accent)}@media (max-width:50rem){.matches{padding:.6rem var(--gap);grid-row:2/-1}}#given{grid-template-columns:max-content 1fr;gap:.1rem 1rem;display:grid}#given dd{overflow-wrap:anywhere;margin:0}
/*$vite$:1*/`,document.head.appendChild(e);var t=Object.defineProperty,n=(e,t,n)=>()=>{if(n)throw n[0];try{return e&&(t=e(e=0)),t}catch(e){throw n=[e],e}},r=(e,n)=>{let r={};for(var i in e)t(r,i,{get:e[i],enumerable:!0});return n||t(r,Symbol.toStringTag,{value:`Module`}),r};function i(){let[e,t]=(h??location.hash).split(`?`,2);return{path:e||p,query:t?`?${t}`:``}}function a(e,t){try{t===`push`?history.pushState(null,``,e):history.replaceState(null,``,e)}catch{h=e.slice(e.indexOf(`#`))}}function o(e){try{return decodeURIComponent(m(e).slice(1).join(`/`))}catch{return``}}function s(e){let[,t,n=``]=/^E(\d{1,12})(?:\.(b?\d{1,6}))?$/.exec(e)??[];return t===void 0?null:{tick:Number(t),which:n}}function c(e){let[,t,n=`0`]=/^(e:(?:[0-9a-f]{32}|\d{8,19}(?:~[0-9a-f]{8})?))(?:\.([1-9]\d{0,3}))?$/.exec(e)??[];return t===void 0?null:{entry:t,number:Number(n)}}function l(e,t,n=``,r=``){let i=new URLSearchParams(n);t?i.set(`see`,t):i.delete(`see`),i.delete(`token`);let a=i.toString().replaceAll(`%2C`,`,`).replaceAll(`%40`,`@`).replaceAll(`%2F`,`/`).replaceAll(`%3A`,`:`),o=r&&`/${r.split(`/`).map(encodeURIComponent).join(`/`).replaceAll(`%3A`,`:`)}`;return p+(e===`world`?``:e+o)+(a&&`?${a}`)}function u(e,t,n){let r=new URLSearchParams(e);return n===null?r.delete(t):r.set(t,n),r.toString()}var d,f,p,m,h,g,_,v,y,b,x,S,C,w,T,E,D,O,k,A,j,ee,M=n((()=>{d=[`world`,`society`,`story`,`matches`],{}.url,f=new URL(`film:/`),p=`#/`,m=e=>e.slice(2).split(`/`),h=null,g=e=>d.find(t=>t===m(e)[0])??`world`,_=e=>/^A\d+$/.test(e),v=e=>/^@-?\d+,-?\d+,-?\d+$/.test(e),y=e=>e.slice(1).split(`,`).map(Number),b=(e,t=``)=>t?`E${e}.${t}`:`E${e}`,x=(e,t=0)=>t?`${e}.${t}`:e,S=e=>{let t=new URLSearchParams(e).get(`see`);return t&&t.length<=64?t:null},C=e=>new URLSearchParams(e).get(`view`)===`map`,w=e=>new URLSearchParams(e).get(`cam`)??``,T=e=>{let t=new URLSearchParams(e).get(`at`)??``;return/^\d{1,12}$/.test(t)?Number(t):null},E=e=>`${p}?at=${e}&speed=16`,D=e=>`${i().path}?${u(i().query,`at`,String(e))}`,O=()=>null,k=()=>null,A=`match:`,j=()=>{let e=O();return e===null?k()??`own`:A+e},ee=e=>e.startsWith(A)?`v1/matches/${e.slice(6)}/world`:`v1/runs/${e}`}));function te(){let e=new URL(location.href),t=e.searchParams.get(`token`);t!==null&&(e.searchParams.delete(`token`),history.replaceState(history.state,``,e)),oe=t;try{t&&sessionStorage.setItem(ae,t),oe=sessionStorage.getItem(ae)}catch{}}function ne(e){oe=e;try{sessionStorage.setItem(ae,e)}catch{}}function re(e){let t=j(),n=t!==`own`&&e.startsWith(se),r=new URL(n?`${ee(t)}/${e.slice(18)}`:e,f);return oe&&r.searchParams.set(`token`,oe),r}function ie(){oe=null;try{sessionStorage.removeItem(ae)}catch{}}var ae,oe,se,ce=n((()=>{M(),ae=`thorp-token`,oe=null,se=`admin/v1/observer/`}));function le(e){de=e}var ue,de,fe,pe=n((()=>{ce(),ue=`application/octet-stream`,de=(e,t)=>fetch(re(e),t),fe=(e,t)=>de(e,t)}));function me(e){let t;try{t=atob(e)}catch{return null}let n=new Uint8Array(t.length);for(let e=0;e<t.length;e++)n[e]=t.charCodeAt(e);return n}function he(e){let t=me(e);if(t?.length!==256*_e)return null;let n={block:new Uint16Array(256),top:new Uint8Array(256)};for(let e=0,r=0;e<256;e++,r+=_e)n.block[e]=t[r]|t[r+1]<<8,n.top[e]=t[r+2];return n}function ge(e,t){let n=me(e);if(n?.length!==256*t*2)return null;let r=new Uint16Array(256*t);for(let e=0;e<r.length;e++)r[e]=n[2*e]|n[2*e+1]<<8;return r}var _e,ve=n((()=>{_e=3}));function ye(e,t){let n=e.sort((e,t)=>e.id<t.id?1:-1);return[...n.filter(e=>!t(e)),...n.filter(t).slice(0,Ce)]}function be(e,t,n,r){let i=n=>e.all(t,n),a={};for(let{blueprint_id:e}of i(`structures`))a[e]=(a[e]??0)+1;return{tick:n,day_ticks:r.day_ticks,season:0,open_book:r.open_book,lands:i(`lands`),organisations:i(`organisations`),laws:ye(i(`laws`),({status:e})=>e===`REJECTED`),contracts:ye(i(`contracts`),({state:e})=>e===`COMPLETED`||e===`FAILED`),boards:Object.fromEntries(e.of(t).get(`boards`)??[]),buildings:a,event:i(`event`)[0]??null,cut:e.one(t,`cut`,``)===!0}}function xe(e,t,[n,r,i]){let a=[n,r,i],o=e.all(t,`structures`).find(({low:e,high:t})=>a.every((n,r)=>e[r]<=n&&n<=t[r]));return{building:o?.blueprint_id??``,builder:o?.builder??``,sign:e.one(t,`signs`,a.join(`,`))??``}}var Se,Ce,we=n((()=>{Se=class{changes;at=-1;done=0;kept=new Map;constructor(e){this.changes=e}upTo(e){let t=0;for(;t<this.changes.length&&this.changes[t][0]<=e;)t++;return t}of(e){for(e<this.at&&([this.done,this.kept]=[0,new Map]),this.at=e;this.done<this.changes.length&&this.changes[this.done][0]<=e;this.done++)for(let[e,t]of Object.entries(this.changes[this.done][1])){let n=this.kept.get(e)??new Map;this.kept.set(e,n);for(let[e,r]of Object.entries(t))r===null?n.delete(e):n.set(e,r)}return this.kept}all(e,t){return[...this.of(e).get(t)?.values()??[]]}one(e,t,n){return this.of(e).get(t)?.get(n)}},Ce=40}));function Te(e,t){let n=0,r=e.length;for(;n<r;){let i=n+r>>1;e[i]<=t?n=i+1:r=i}return n-1}function N(e,t){let[n,r]=e;for(let e=1;e<n.length;e++)n[e]+=n[e-1],t&&(r[e]=r[e]+r[e-1])}function Ee(e,t){return e?.[1][Te(e[0],t)]}function De(e,t){if(!e)return;let n=Te(e[0],t),r=e[1][n];if(!r)return;let i=t-e[0][n],a=r.eta_ticks??0,o=a>0?Math.min(1,i/a):0;return{...r,progress:r.progress+(1-r.progress)*o,eta_ticks:Math.max(0,a-i)}}function Oe(e,t){if(Te(e.x[0],t)<0||Ee(e.gone,t))return;let n=n=>Ee(e[n],t)??0,r=[n(`x`),n(`y`),n(`z`)],i={org_id:Ee(e.org,t)||void 0,move_task:De(e.move,t),work_task:De(e.work,t),title:Ee(e.title,t),intent:Ee(e.intent,t)},a=Object.fromEntries(Object.entries(i).filter(([,e])=>e!==void 0));return{id:e.id,name:e.name,connected:n(`attached`)>0,pos:r,yaw:n(`yaw`),hp:n(`hp`),hunger:n(`hunger`),stamina_milli:n(`stamina`),...a}}function P(e){let t=new Map,n=new DataView(e.buffer,e.byteOffset,e.byteLength);for(let r=0;r+ze<=e.length;r+=ze)t.set(`${n.getInt32(r,!0)},${n.getInt32(r+4,!0)}`,e.slice(r+8,r+ze));return t}function ke(e){let t={block:new Uint16Array(256),top:new Uint8Array(256)};for(let n=0;n<256;n++){let r=e.length/256-1;for(;r>0&&!e[r*256+n];)r--;t.block[n]=e[r*256+n],t.top[n]=r}return t}async function F(e,t){let n=await fe(`${t}${e}`,{signal:AbortSignal.timeout(je)}).catch(()=>null);if(!n)throw new Pe(Ie);if(n.ok)return n;let{details:r}=await n.json().catch(()=>({details:null}));throw new Pe(typeof r==`string`?r:r?.violations?.[0]?.message??`the server gave no reason (${n.status})`)}async function I(e,t,n){let r=await F(e,t);try{return await n(r.headers.get(`Content-Type`)===`application/octet-stream`?r:new Response(r.body.pipeThrough(new DecompressionStream(`gzip`))))}catch(e){throw e instanceof Pe?e:new Pe(Fe)}}var Ae,je,Me,Ne,Pe,Fe,Ie,Le,Re,ze,Be,Ve,He,Ue,We,Ge,Ke,qe=n((()=>{pe(),ve(),we(),Ae=4,je=1e4,Me=[`x`,`y`,`z`,`yaw`,`hp`,`hunger`,`stamina`,`attached`],Ne=[`move`,`work`,`org`,`intent`,`title`,`gone`],Pe=class extends Error{},Fe=`this part of the tape came damaged or cut short; it is asked for again`,Ie=`the server did not answer; it is asked again`,Le=class{document;n;records;constructor(e){if(this.document=e,e.tape!==Ae)throw new Pe(`this page plays tape ${Ae}, and this is tape ${e.tape}; load the page again`);let{agents:t,weather:n,events:r,blocks:i}=e;if(![t,n,r,i].every(Array.isArray))throw new Pe(Fe);this.n=e.n,this.records=new Se(e.society);for(let e of t){for(let t of Me)N(e[t],!0);for(let t of Ne)e[t]&&N(e[t],!1)}}get complete(){return this.document.last===(this.n+1)*250-1&&this.document.first<=Math.max(1,this.n*250)}has(e){return this.document.first<=e&&e<=this.document.last}tickAt(e,t=e-1){let{day_ticks:n,agents:r,weather:i}=this.document,a=e-this.n*250,o=[...this.eventful(t,e)];return{type:`TICK`,tick:e,time_of_day:e%n/n,weather:i.filter(([e])=>e<=a).at(-1)?.[1]??`CLEAR`,agents:r.flatMap(e=>Oe(e,a)??[]),happenings:o.flatMap(({happenings:e})=>e),audits:o.flatMap(({audits:e})=>e)}}*walks(e,t,n){let r=this.n*250,[i,a]=[Math.max(e+1,this.document.first)-r,Math.min(t,this.document.last)-r];for(let{id:e,x:t,z:o,gone:s}of this.document.agents)for(let c=i;c<=a;c+=n){let n=Ee(t,c);n!==void 0&&!Ee(s,c)&&(yield{id:e,x:n,z:Ee(o,c),tick:r+c})}}eventful(e,t){let n=this.n*250,r=new Map,i=e=>(r.has(e)||r.set(e,{tick:e,happenings:[],audits:[]}),r.get(e)),a=r=>r>e-n&&r<=t-n;for(let[e,t]of this.document.events)a(e)&&i(n+e).happenings.push(...t);for(let[e,t,r,o,s,c,l,u]of this.document.blocks)a(e)&&i(n+e).audits.push({actor:l,pos:[t,r,o],from:s,to:c,reason:u});return[...r.values()].sort((e,t)=>e.tick-t.tick)}},Re=class{tick;chunks=new Map;constructor(e){this.tick=e}follow(e,t){let n=new Set,r=e>this.tick,[i,a]=r?[this.tick,e]:[e,this.tick];for(let e of r?t:[...t].reverse()){let{blocks:t}=e.document;for(let o=0;o<t.length;o++){let[s,c,l,u,d,f]=t[r?o:t.length-1-o],p=e.n*250+s;if(p<=i||p>a)continue;let m=`${c>>4},${u>>4}`,h=this.chunks.get(m);h&&(h[l<<8|(u&15)<<4|c&15]=r?f:d,n.add(m))}}return this.tick=e,n}},ze=16392,Be=`admin/v1/observer/`,Ve=async(e=Be)=>(await F(`tape`,e)).json(),He=async(e,t,n,r=Be)=>(await F(`marks?from=${e}&to=${t}&bins=${n}`,r)).json(),Ue=(e,t,n=Be)=>I(`tape/${e}?of=${t}&v=${Ae}`,n,async e=>new Le(await e.json())),We=(e,t,n=Be)=>I(`tape/${e}/private?of=${t}&v=${Ae}`,n,async e=>new Se((await e.json()).private)),Ge=async(e,t,n=Be)=>(await F(`activity?from=${e}&to=${t}`,n)).json(),Ke=({tick:e,cx:t,cz:n,r},i=Be)=>I(`ground?tick=${e}&cx=${t}&cz=${n}&r=${r}`,i,async e=>P(new Uint8Array(await e.arrayBuffer())))}));qe();var Je=()=>JSON.parse(document.getElementById(`film/about`).textContent);function Ye(e){let t=document.getElementById(`film/${e}`)?.textContent;return t?Uint8Array.from(atob(t),e=>e.charCodeAt(0)):null}async function Xe(e){let t=Ye(e);return t?new Response(new Blob([t]).stream().pipeThrough(new DecompressionStream(`gzip`))):null}pe(),ve();var Ze=`admin/v1/observer/`,Qe=400,$e=10,et=20,tt=3e3,nt=`this film does not hold that`,rt={[`${Ze}bootstrap`]:`bootstrap`,[`${Ze}tape`]:`state`,[`${Ze}society`]:`society`,[`${Ze}buildings`]:`buildings`,[`${Ze}elections`]:`elections`,"v1/story/stream":`story`},it=e=>new Response(JSON.stringify(e)),at=e=>new Response(JSON.stringify({details:e}),{status:404}),ot=e=>new Response(e,{headers:{"Content-Type":ue}}),st=e=>Math.floor(e/250),ct=class{about=Je();segments=new Map;documents=new Map;keyframes=null;async answer(e){let{pathname:t,searchParams:n}=new URL(e,`film:/`),r=t.replace(/^\/+/,``),i=e=>Number(n.get(e)??NaN);if(r===`about`)return it(this.about);if(Object.hasOwn(rt,r))return await Xe(rt[r])??at(nt);let a=/^tape\/(\d{1,9})(\/private)?$/.exec(r.replace(Ze,``));if(a)return this.segmentAnswer(Number(a[1]),a[2]!==void 0);let o=/^places\/(-?\d+),(-?\d+),(-?\d+)\/changes$/.exec(r.replace(Ze,``));if(o)return it(await this.changes(o.slice(1).map(Number),i(`tick`)));let s=/^admin\/v1\/towns\/([^/]+)\/decisions$/.exec(r);if(s)return it(await this.decisions(decodeURIComponent(s[1]),i(`before`)));switch(r.replace(Ze,``)){case`marks`:return it(await this.marks(i(`from`),i(`to`),i(`bins`)));case`activity`:return it(await this.activity(i(`from`),i(`to`)));case`ground`:return this.ground(i);case`surfaces`:return this.surfaces(i);case`rising`:return this.rising(n.get(`building`)??``);case`series`:return it(await this.series(n.get(`what`)??``))}return at(nt)}segmentAnswer(e,t){let n=Ye(`${t?`private`:`tape`}/${e}`),{first:r,last:i}=this.about;return n?new Response(n):at(`This film begins with tick ${r} and ends with tick ${i}`)}segment(e){let t=this.segments.get(e);if(t)return t;let n=Xe(`tape/${e}`).then(async e=>new Le(await e.json()));return this.segments.set(e,n),n}between(e,t){let n=st(Math.max(e,this.about.first)),r=st(Math.min(t,this.about.last)),i=Array.from({length:Math.max(0,r-n+1)},(e,t)=>n+t);return Promise.all(i.map(e=>this.segment(e)))}json(e){let t=this.documents.get(e)??Xe(e).then(e=>e.json());return this.documents.set(e,t),t}async marks(e,t,n){let{sorts:r,bin_ticks:i,counts:a,marks:o}=await this.json(`marks`),s=Array.from({length:n},()=>r.map(()=>0));for(let[r,o]of Object.entries(a))for(let[a,c]of o.entries()){let o=Number(r)*250+a*i;if(o+i<=e||o>t)continue;let l=Math.max(0,Math.min(n-1,Math.floor((o-e)*n/(t-e+1))));for(let[e,t]of c.entries())s[l][e]+=t}return{sorts:r,counts:s,marks:o.filter(({tick:n})=>e<=n&&n<=t).sort((e,t)=>t.weight-e.weight||e.tick-t.tick).slice(0,Qe).sort((e,t)=>e.tick-t.tick).map(e=>({...e}))}}async activity(e,t){let n=new Map;for(let r of await this.between(e,t)){let{first:i,last:a,blocks:o}=r.document;if(!(i<e||a>t))for(let[,e,,t,,r]of o){let i=`${e>>3},${t>>3}`,a=n.get(i)??[e>>3,t>>3,0,0];a[r===0?2:3]++,n.set(i,a)}}return[...n.values()]}async changes([e,t,n],r){let i=Number.isNaN(r)?this.about.last:r,a=[];for(let r of await this.between(this.about.first,i))for(let[o,s,c,l,u,d,f,p]of r.document.blocks){let m=r.n*250+o;s===e&&c===t&&l===n&&m<=i&&a.push({tick:m,before:u,after:d,actor:f,reason:p})}return a.reverse().slice(0,$e)}async decisions(e,t){return(await this.json(`decisions`)).filter(n=>n.town===e&&!(n.tick>=t)).reverse().slice(0,et)}async series(e){let t=await this.json(`treasuries`),n=e.replace(/^treasury:/,``);return t.filter(({treasuries:e})=>Object.hasOwn(e,n)).map(({tick:e,treasuries:t})=>[e,t[n]])}async rising(e){let t=(await this.json(`buildings`)).find(t=>t.id===e);if(!t)return at(nt);let{low:n,high:r,completed_tick:i}=t,a=[];for(let e of await this.between(this.about.first,i))for(let[t,o,s,c,,l]of e.document.blocks){let u=[o,s,c].every((e,t)=>n[t]<=e&&e<=r[t]),d=e.n*250+t;l&&u&&d<=i&&a.push(d)}let o=i;for(let e of a.reverse()){if(o-e>tt)break;o=e}return a.length?it({first:o,last:i}):at(`It was built before this film begins`)}readKeyframes(){let e=Object.keys(this.about.contents).filter(e=>e.startsWith(`ground/`));return this.keyframes??=Promise.all(e.map(async e=>({tick:Number(e.slice(7)),chunks:P(new Uint8Array(await(await Xe(e)).arrayBuffer()))}))),this.keyframes}async keyframesFor(e){let{seasons:t}=await this.json(`state`),n=e=>t.filter(t=>t<=e).length;return(await this.readKeyframes()).filter(t=>n(t.tick)===n(e))}async ground(e){let[t,n,r,i]=[`tick`,`cx`,`cz`,`r`].map(e),a=[];for(let{tick:e,chunks:o}of await this.keyframesFor(t)){let s=new Re(e);for(let[e,t]of o){let[a,o]=e.split(`,`).map(Number);Math.max(Math.abs(a-n),Math.abs(o-r))<=i&&s.chunks.set(e,t.slice())}if(s.chunks.size){s.follow(t,await this.between(Math.min(e,t)+1,Math.max(e,t)));for(let[e,t]of s.chunks)a.push(lt(e,t))}}return ot(ut(a))}async surfaces(e){let[t,n,r,i]=[`x0`,`z0`,`x1`,`z1`].map(t=>e(t)>>4),a=[];for(let{chunks:e}of await this.keyframesFor(this.about.first))for(let[o,s]of e){let[e,c]=o.split(`,`).map(Number);if(e<t||e>r||c<n||c>i)continue;let{block:l,top:u}=ke(s),d=new Uint8Array(768);for(let e=0;e<256;e++)d.set([l[e]&255,l[e]>>8,u[e]],3*e);a.push(lt(o,d))}return ot(ut(a))}};function lt(e,t){let n=new Uint8Array(8+t.length),r=new DataView(n.buffer);for(let[t,n]of e.split(`,`).entries())r.setInt32(4*t,Number(n),!0);return n.set(t,8),n}function ut(e){let t=new Uint8Array(e.reduce((e,t)=>e+t.length,0)),n=0;for(let r of e)t.set(r,n),n+=r.length;return t}pe();var dt=new ct;le(e=>dt.answer(e));function ft(e){e&&e.parentNode&&e.remove()}function pt(e,t,n,r,i){var a={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Kt,__v:i||++Lt,__i:-1,__u:0};return!i&&It.vnode&&It.vnode(a),a}function L(e){return e.children}function mt(e,t){this.props=e,this.context=t,this.__g=0}function ht(e,t){if(t==null)return e.__&&ht(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!=`function`||e.props.__P?null:ht(e)}function gt(e){var t,n=e.__v,r=n.__e,i=[],a=[],o=e.__P;o&&((t=Qt({constructor:Kt},n)).__v=n.__v+1,It.vnode&&It.vnode(t),Dt(o,t,n,e.__n,o.namespaceURI,32&n.__u?[r]:null,i,r||ht(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,At(i,t,a),n.__=n.__e=null,t.__e!=r&&_t(t))}function _t(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),_t(e)}function vt(e){(8&e.__g||(e.__g|=8,Rt.push(e),Bt++))&&zt==It.debounceRendering||((zt=It.debounceRendering)||queueMicrotask)(yt)}function yt(){try{for(var e,t=1;Rt.length;)Rt.length>t&&Rt.sort(Vt),e=Rt.shift(),t=Rt.length,8&e.__g&&gt(e)}finally{(Bt=Rt.length)&&(zt||queueMicrotask)(yt)}}function bt(e,t,n,r,i,a,o,s,c,l,u){var d,f,p,m,h,g,_=r.__k||Jt,v=t.length;for(c=xt(n,t,_,c,v),d=0;d<v;d++)(p=n.__k[d])!=null&&(f=~p.__i&&_[p.__i]||qt,p.__i=d,g=Dt(e,p,f,i,a,o,s,c,l,u),m=p.__e,(f.ref!=p.ref||8&f.__u)&&(f.ref&&Mt(f.ref,null,p,f),p.ref&&u.push(p.ref,p.__c||m,p)),h||=m,4&p.__u?(c=St(p,c,e,!f.__v),f.__e&&(f.__e=null)):typeof p.type==`function`&&g!==void 0?c=g:m&&(c=m.nextSibling),p.__u&=-21);return n.__e=h,c}function xt(e,t,n,r,i){var a,o,s,c,l,u,d,f,p,m=n.length,h=m,g=0,_=0,v=e.__k=Array(i);for(a=0;a<i;a++)(o=t[a])!=null&&typeof o!=`boolean`&&typeof o!=`function`?(typeof o!=`object`||o.constructor===String?o=v[a]=pt(null,o):Xt(o)?o=v[a]=pt(L,{children:o}):o.constructor===Kt&&o.__b?o=v[a]=pt(o.type,o.props,o.key,o.ref,o.__v):v[a]=o,c=a+g,o.__=e,o.__b=e.__b+1,s=null,~(l=o.__i=Ct(o,n,c,h))&&(h--,(s=n[l])&&(s.__u|=2)),s&&s.__v?(o.__u|=16,l==c-1?g--:l==c+1?g++:l!=c&&(l>c?g--:g++,_=1)):(~l||(i>m?g--:i<m&&g++),typeof o.type!=`function`&&(o.__u|=4))):v[a]=null;if(_){for(u=[],d=[],a=0;a<i;a++)if((o=v[a])&&16&o.__u){for(g=0,f=u.length;g<f;)u[p=g+f>>1]<o.__i?g=p+1:f=p;u[g]=o.__i,d[a]=g+1}for(g=u.length;a--;)d[a]&&(d[a]==g?g--:v[a].__u|=4)}if(h)for(a=0;a<m;a++)!(s=n[a])||2&s.__u||(s.__e==r&&(r=ht(s)),Nt(s,s));return r}function St(e,t,n,r){var i,a,o,s;if(typeof e.type==`function`){if(e.props.__P)return t;if(i=e.__k)for(a=0;a<i.length;a++)i[a]&&(i[a].__=e,t=St(i[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=ht(e))&&!t.parentNode&&(t=null),o=e.__e,s=t;s&&s.nodeType==8;)s=s.nextSibling;for(o!=s&&(!r&&n.moveBefore&&o.parentNode?n.moveBefore(o,t):n.insertBefore(o,t||null)),t=o;(t&&=t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(`$s`););return t}function Ct(e,t,n,r){var i,a=e.key,o=e.type,s=t[n],c=s&&!(2&s.__u);if(s===null&&a==null||c&&a==s.key&&o==s.type)return n;if(r>+!!c){for(i=n-1;i>=0;i--)if((s=t[i])&&!(2&s.__u)&&a==s.key&&o==s.type)return i;for(i=n+1;i<t.length;i++)if((s=t[i])&&!(2&s.__u)&&a==s.key&&o==s.type)return i}return-1}function wt(e,t,n){n??=``,t[0]==`-`?e.setProperty(t,n):e[t]=n}function Tt(e,t,n,r,i){var a,o;if(t==`style`){if(typeof n==`string`)e.style.cssText=n;else{if(typeof r==`string`&&(e.style.cssText=r=``),r)for(t in r)n&&t in n||wt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||wt(e.style,t,n[t])}}else if(t[0]==`o`&&t[1]==`n`)typeof n!=`function`&&(n=null),typeof r!=`function`&&(r=null),(e.__e||={})[t]=n,n&&r||(o=Gt[t]||(Gt[t]=Et(t)),(e.__a||={})[t]=Wt,a=t!=(t=t.replace(Ut,`$1`)),(t=t.slice(2))[0]<`a`&&(t=t.toLowerCase()),n?e.addEventListener(t,o,a):e.removeEventListener(t,o,a));else{if(i==`http://www.w3.org/2000/svg`)t=t.replace(/xlink(H|:h)/,`h`).replace(/sName$/,`s`);else if(t!=`width`&&t!=`height`&&t!=`href`&&t!=`list`&&t!=`form`&&t!=`tabIndex`&&t!=`download`&&t!=`rowSpan`&&t!=`colSpan`&&t!=`role`&&t!=`popover`&&t in e)try{e[t]=n??``;return}catch{}if(typeof n==`function`)return;n==null||!1===n&&t[4]!=`-`?e.removeAttribute(t):e.setAttribute(t,t==`popover`&&n==1?``:n)}}function Et(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Ht]==null)t[Ht]=Wt++;else if(t[Ht]<this.__a[e])return;return n(It.event?It.event(t):t)}}}function Dt(e,t,n,r,i,a,o,s,c,l){var u,d,f,p,m,h,g,_,v,y,b,x,S,C,w,T,E,D,O=t.type;if(t.constructor!==Kt)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,d=a=[],u.nodeType==8?s=Ot(u,a):a.push(u),s=a[0]||s),(u=It.__b)&&u(t);n:if(typeof O==`function`){f=o.length;try{if(_=t.props,v=(u=O.prototype)&&u.render,y=(u=O.contextType)&&r[u.__c],b=u?y?y.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(v?t.__c=p=new O(_,b):(t.__c=p=new mt(_,b),p.constructor=O,p.render=Pt),y&&y.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),v&&(p.__s||(p.__s=p.state),O.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Qt({},p.__s)),Qt(p.__s,O.getDerivedStateFromProps(_,p.__s)))),m=p.props,h=p.state,p.__v=t,n.__c){if(_!==m&&v&&!O.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(_,b),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&!1===p.shouldComponentUpdate(_,p.__s,b)){t.__v!=n.__v&&(p.props=_,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(e){e&&(e.__=t)}),Jt.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&o.push(p),s=ht(n);break n}p.componentWillUpdate&&p.componentWillUpdate(_,p.__s,b),v&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(m,h,g)})}else v&&!O.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),v&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=b,p.props=_,p.__P=e,p.__g&=-5,x=It.__r,S=v?25:0;do p.__g&=-9,x&&x(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++S<25);v&&(Jt.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Qt({},r,p.getChildContext())),v&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(m,h)),C=u&&u.type===L&&u.key==null?u.props.children:u,_.__P&&(u=s,i=(e=_.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function(e){e&&Nt(e,e)}),n.__k=null),s=n.__k?ht(n,0):null),s=bt(e,Xt(C)?C:[C],t,n,r,i,a,o,s,c,l),_.__P&&(t.__e=null,s=u),t.__u&=-161,d&&d.some(ft),p.__h.length&&o.push(p),1&p.__g&&(p.__g&=-4)}catch(e){if(o.length=f,t.__v=null,c||a){if(e&&e.then){if(t.__u|=128|c,a){for(~(E=a.indexOf(s||void 0))||(E=a.length);(D=a[E-1])&&D.nodeType==8;)E--;for(;E<a.length;E++)if(D=a[E]){if(a[E]=null,w){if(D==T)break}else{if(D.nodeType!=8)break;D.data.startsWith(`$s`)&&(T=Ot(w=D))}}}if(!w){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;w=s}(u=Ot(w=t.__c.__z||(t.__c.__z=w)))?(t.__e=w,s=u):t.__e=s,s&&=s.nextSibling}else a&&a.some(ft)}else t.__e=n.__e;t.__k||=n.__k||[],e&&e.then||kt(t),It.__e(e,t,n)}}else s=t.__e=jt(n.__e,t,n,r,i,a,o,c,l,e);return(u=It.diffed)&&u(t),s}function Ot(e,t){if(e&&e.nodeType==8&&e.data.startsWith(`$s`))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith(`$s`))n++;else if(e.data.startsWith(`/$s`)&&!--n)return e}t&&t.push(e)}}function kt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(kt))}function At(e,t,n){for(var r=0;r<n.length;)Mt(n[r++],n[r++],n[r++]);It.__c&&It.__c(t,e),e.some(function(t){try{e=t.__h,t.__h=[],e.some(function(e){e.call(t)})}catch(e){It.__e(e,t.__v)}})}function jt(e,t,n,r,i,a,o,s,c,l){var u,d,f,p,m,h,g,_,v=n.props||qt,y=t.props,b=t.type;if(b==`svg`?i=`http://www.w3.org/2000/svg`:b==`math`?i=`http://www.w3.org/1998/Math/MathML`:i||=`http://www.w3.org/1999/xhtml`,a){for(u=0;u<a.length;u++)if((m=a[u])&&(b?m.localName==b:m.nodeType==3)){e=m,a[u]=null;break}}if(!e){if(_=l.ownerDocument||document,!b)return _.createTextNode(y);e=_.createElementNS(i,b,y.is?y:l),s&&=(It.__m&&It.__m(t,a),!1),a=null}if(b){if(l=b==`template`&&e.content||e,a=b==`textarea`&&y.defaultValue!=null?null:a&&Zt.call(l.childNodes),!s&&a)for(v={},u=0;u<e.attributes.length;u++)v[(m=e.attributes[u]).name]=m.value;for(u in v)m=v[u],u==`dangerouslySetInnerHTML`?f=m:u==`children`||u in y||u==`value`&&`defaultValue`in y||u==`checked`&&`defaultChecked`in y||Tt(e,u,null,m,i);for(u in y)m=y[u],u==`children`?p=m:u==`dangerouslySetInnerHTML`?d=m:u==`value`?h=m:u==`checked`?g=m:s&&typeof m!=`function`||v[u]===m||Tt(e,u,m,v[u],i);d?(s||f&&(d.__html==f.__html||d.__html==e.innerHTML)||(e.innerHTML=d.__html),t.__k=[]):(f&&(e.textContent=``),(b==`foreignObject`||i==`http://www.w3.org/1998/Math/MathML`&&Yt.test(b))&&(i=`http://www.w3.org/1999/xhtml`),bt(l,Xt(p)?p:[p],t,n,r,i,a,o,a?a[0]:n.__k&&ht(n,0),s,c),a&&a.some(ft)),s&&b!=`textarea`||(u=`value`,b==`progress`&&h==null?e.removeAttribute(u):h==null||h===e[u]&&(b!=`progress`||h)||Tt(e,u,h,v[u],i),u=`checked`,g!=null&&g!=e[u]&&Tt(e,u,g,v[u],i))}else v===y||s&&e.data==y||(e.data=y);return e}function Mt(e,t,n,r){try{typeof e==`function`?t?t.__x=e(t)||1:(r&&=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t==`function`?t():e(null)):e.current=t}catch(e){It.__e(e,n)}}function Nt(e,t,n){var r,i,a,o;if(It.unmount&&It.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||Mt(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(e){It.__e(e,t)}r.__P=r.__n=null}if(r=e.__k)for(o=0;o<r.length;o++)r[o]&&Nt(r[o],t,typeof e.type!=`function`||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(i=Ot(r,a=[]))&&(r==e.__e&&a.some(ft),ft(i),ft(r)),n||ft(e.__e),e.__e=e.__c=e.__=null}function Pt(e,t,n){return this.constructor(e,n)}function Ft(e,t){var n,r,i,a;It.__&&It.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=pt(L,{children:[e]}),i=[],a=[],Dt(t,t.__k,r||qt,qt,t.namespaceURI,r?null:t.firstChild?Zt.call(t.childNodes):null,i,r?r.__e:t.firstChild,n,a),At(i,t.__k,a),t.__k.props.children=null}var It,Lt,Rt,zt,Bt,Vt,Ht,Ut,Wt,Gt,Kt,qt,Jt,Yt,Xt,Zt,Qt,$t=n((()=>{Kt=Symbol.for(`pv`),qt={},Jt=[],Yt=/^m(i|n|o|s|text|space)$/,Xt=Array.isArray,Zt=Jt.slice,Qt=Object.assign,It={__e:function(e,t,n,r){for(var i,a,o;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((o=(a=i.constructor)&&a.getDerivedStateFromError)&&i.setState(a.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),o=1),o&&8&i.__g)return void(i.__g|=2)}catch(t){e=t}}throw Bt=0,e}},Lt=0,mt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Qt({},this.state)),typeof e==`function`&&(e=e(Qt({},n),this.props)),e&&(Qt(n,e),this.__v&&(t&&this.__k.push(t),vt(this)))},mt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),vt(this))},mt.prototype.render=L,Rt=[],Bt=0,Vt=function(e,t){return e.__v.__b-t.__v.__b},Ht=Symbol(),Ut=/(PointerCapture)$|Capture$/i,Wt=0,Gt={}}));$t(),pe();var en=5e3;function tn(e){let t=t=>{let n=RegExp(`^${t}(?:\\{[^}]*\\})? (\\d+)`,`m`).exec(e);return n?Number(n[1]):null},n=t(`thorp_late_ticks_total`),r=t(`thorp_skipped_ticks_total`);return n===null||r===null?null:{late:n,skipped:r}}async function nn(){try{let e=await fe(`metrics`,{signal:AbortSignal.timeout(en)});return e.ok?tn(await e.text()):null}catch{return null}}async function rn(e){try{let t=await fe(e),n=await t.json();return t.ok?n:{why:typeof n.details==`string`?n.details:an(n)}}catch{return{why:`the server cannot be reached`}}}var an,on=n((()=>{pe(),an=e=>e.details?.violations?.[0]?.message??String(e.error)})),sn,cn=n((()=>{sn=class{intervalMs;lastRequests=new Map;constructor(e){this.intervalMs=e}isDue(e,t=performance.now()){return t-(this.lastRequests.get(e)??-1/0)>=this.intervalMs}note(e,t=performance.now()){this.lastRequests.set(e,t)}admits(e,t=performance.now()){return this.isDue(e,t)?(this.note(e,t),!0):!1}reset(){this.lastRequests.clear()}}}));function ln(e,t){return e===0?[t-1,t]:e===gn?[t,t+1]:[t]}function un({cx:e,cz:t,voxels:n,surface:r},{glow:i}){let a=[],o=(n,r)=>a.push({x:e*16+(n&15)+.5,y:r+.6,z:t*16+(n>>4)+.5});if(n)for(let e=0;e<n.length;e++)n[e]&&i[n[e]]&&o(e%256,Math.floor(e/256));else for(let e=0;e<256;e++)i[r.block[e]]&&o(e,r.top[e]);return a}function dn({block:e,top:t},n){let r=t.slice(),i=new Uint8Array(256),a=[];for(let o=0;o<256;o++)e[o]===n?r[o]=Math.max(0,t[o]-hn):(i[o]=1,a.push(o));for(;a.length;){let e=[];for(let n of a)for(let a of fn(n))i[a]||(i[a]=1,r[a]=Math.min(r[n],t[a]),e.push(a));a=e}return r}function*fn(e){let t=e%16;t>0&&(yield e-1),t<15&&(yield e+1),e>=16&&(yield e-16),e<240&&(yield e+16)}var pn,mn,hn,gn,_n,vn,yn,bn,xn,Sn,Cn=n((()=>{ve(),pn=32768,mn=(e,t)=>(e+pn)*2*pn+(t+pn),hn=6,gn=15,_n=[{x:0,z:0},{x:gn,z:0},{x:0,z:gn},{x:gn,z:gn}],vn=24,yn=.4,bn=.05,xn=class{cx;cz;surface;voxels=null;version=0;floor=null;shining=null;constructor(e,t,n){this.cx=e,this.cz=t,this.surface=n}ground(e){return this.floor??=dn(this.surface,e.leaves),this.floor}lamps(e){return this.shining??=un(this,e),this.shining}changed(){this.floor=this.shining=null,this.version++}},Sn=class{height;looks;chunks=new Map;stale=new Map;constructor(e,t){this.height=e,this.looks=t}at(e,t){return this.chunks.get(mn(e,t))}groundAt(e,t){let n=Math.floor(e),r=Math.floor(t);return this.at(n>>4,r>>4)?.ground(this.looks)[(r&15)*16+(n&15)]}blockAt(e,t,n){return t<0||t>=this.height?0:this.at(e>>4,n>>4)?.voxels?.[t*256+(n&15)*16+(e&15)]}wholeAround(e,t,n){let r=Math.floor(e)>>4,i=Math.floor(t)>>4,a=0;for(let e=-n;e<=n;e++)for(let t=-n;t<=n;t++)this.at(r+e,i+t)?.voxels&&a++;return a}hit(e,t,n){for(let r=0;r<n;r+=bn){let[n,i,a]=[e.x+t.x*r,e.y+t.y*r,e.z+t.z*r].map(Math.floor),o=this.blockAt(n,i,a);if(o)return{x:n,y:i,z:a,block:o}}return null}sees(e,t){let n=Math.hypot(t.x-e.x,t.y-e.y,t.z-e.z),r=Math.ceil(Math.min(n,vn)/yn);for(let i=1;i<r;i++){let r=i*yn/n,[a,o,s]=[t.x+(e.x-t.x)*r,t.y+(e.y-t.y)*r,t.z+(e.z-t.z)*r].map(Math.floor),c=this.blockAt(a,o,s),l=c===void 0?this.groundAt(a,s):void 0;if(c===void 0?l!==void 0&&o<=l:this.looks.opaque[c])return!1}return!0}take(e){let{cx:t,cz:n}=e,r=this.at(t,n),i=r?.lamps(this.looks).length??0;switch(e.type){case`CHUNK_SURFACE`:{let i=he(e.data);if(!i)return;r?r.surface=i:this.chunks.set(mn(t,n),new xn(t,n,i));break}case`CHUNK_VOXELS`:{let i=ge(e.data,this.height);if(!i)return;(r??this.bare(t,n)).voxels=i;break}case`CHUNK_PATCH`:if(!r)return;for(let{x:t,z:n,block:i,y:a}of e.cells)r.surface.block[n*16+t]=i,r.surface.top[n*16+t]=a;break;case`CHUNK_VOXEL_PATCH`:if(!r?.voxels)return;for(let{x:t,y:n,z:i,block:a}of e.cells)r.voxels[n*256+i*16+t]=a;break;case`CHUNK_EVICT`:this.chunks.delete(mn(t,n));break;case`CHUNK_VOXELS_EVICT`:r&&(r.voxels=null)}let a=this.at(t,n);a?.changed();let o=(a?.lamps(this.looks).length??0)!==i;this.spoil(t,n,`cells`in e&&!o?e.cells:_n)}put(e,t,n,r){let i=this.at(e,t)??this.bare(e,t);i.surface=n,i.voxels=r,i.changed(),this.spoil(e,t,_n)}bare(e,t){let n=new xn(e,t,{block:new Uint16Array(256),top:new Uint8Array(256)});return this.chunks.set(mn(e,t),n),n}spoil(e,t,n){this.stale.set(mn(e,t),[e,t]);for(let{x:r,z:i}of n)for(let n of ln(r,e))for(let e of ln(i,t)){let t=mn(n,e);this.chunks.has(t)&&this.stale.set(t,[n,e])}}}}));function wn(e){let[t,n]=e.split(`,`).map(Number);return[t,n]}var Tn,En,Dn,On,kn,An,jn=n((()=>{cn(),qe(),Cn(),Tn=6,En=3,Dn=1e3,On=class{tape;focus;listener;cells=null;terrain=null;centre=[0,0];near=[0,0];isLoading=!1;pace=new sn(Dn);constructor(e,t,n){this.tape=e,this.focus=t,this.listener=n}get isLoaded(){return this.cells!==null}showIn(e){this.terrain=e,this.cells&&this.fill(this.cells.chunks.keys())}clear(){this.cells=null,this.terrain=null}retry(){this.pace.reset()}move(e,t){let{x:n,z:r}=this.focus(n=>e.tickAt(t).agents.find(e=>e.id===n)?.pos),i=[Math.floor(n)>>4,Math.floor(r)>>4],a=this.cells&&this.tape.between(this.cells.tick,t);this.cells&&a&&this.fill(this.cells.follow(t,a)),(!this.cells||!a||kn(i,this.centre)>=En)&&this.fetch(t,i),this.cells&&this.terrain&&kn(i,this.near)>0&&this.showEveryBlockAround(i)}blockAt([e,t,n]){return this.cells?.chunks.get(`${e>>4},${n>>4}`)?.[t<<8|(n&15)<<4|e&15]}showEveryBlockAround(e){let t=this.near;this.near=e;let n=n=>An(wn(n),t)!==An(wn(n),e);this.fill([...this.cells.chunks.keys()].filter(n))}async fetch(e,t){if(this.isLoading||!this.pace.isDue(`ground`))return;this.isLoading=!0;let n=await Ke({tick:e,cx:t[0],cz:t[1],r:Tn},this.tape.of).catch(e=>e);this.isLoading=!1,n instanceof Error?(this.centre=t,this.pace.note(`ground`),this.listener.groundFailed(this.cells?null:n.message)):this.listener.isPast&&(this.replace(e,t,n),this.listener.groundArrived())}replace(e,t,n){let r=[...this.cells?.chunks.keys()??[]].filter(e=>!n.has(e));this.cells=new Re(e);for(let[e,t]of n)this.cells.chunks.set(e,t);this.centre=t,this.near=t;for(let e of r){let[t,n]=wn(e);this.terrain?.take({type:`CHUNK_EVICT`,cx:t,cz:n})}this.fill(n.keys())}fill(e){if(this.terrain)for(let t of e){let e=this.cells?.chunks.get(t);if(!e)continue;let[n,r]=wn(t),i=An([n,r],this.near)?Uint16Array.from(e):null;this.terrain.put(n,r,ke(e),i)}}},kn=(e,t)=>Math.max(Math.abs(e[0]-t[0]),Math.abs(e[1]-t[1])),An=(e,t)=>kn(e,t)<=3}));function Mn(e,t,n){let r=Math.min(1,Math.max(0,(n-e)/(t-e)));return r*r*(3-2*r)}function Nn(e,t){let n=(e-.25)*2*Math.PI,r=Math.sin(n),i=Mn(-.15,.25,r),a=1-Mn(0,.4,Math.abs(r)),o=zn[t],s=Bn(Bn(In.haze,Ln.haze,i),Rn.haze,a*.55),c=Bn(Bn(In.sun,Ln.sun,i),Rn.sun,a*.5);o&&(s=Bn(s,Bn(In.haze,o.haze,.2+.8*i),o.share),c=Bn([0,0,0],c,o.sun));let l=Math.max(.25,Math.abs(r)),u=Math.cos(n)*Math.sign(r||1),d=Math.hypot(u,l,.45);return{sun:[u/d,l/d,.45/d],sunColour:c,above:Bn(Bn(In.above,Ln.above,i),Rn.above,a*.5),below:Bn(In.below,Ln.below,i),haze:s,night:1-i*(o?.75:1)}}function Pn(e){let t=Math.floor(e*24*60)%1440,n=e=>String(e).padStart(2,`0`);return`${n(Math.floor(t/60))}:${n(t%60)}`}var Fn,In,Ln,Rn,zn,Bn,Vn,Hn=n((()=>{Fn=e=>[(e>>16)/255,(e>>8&255)/255,(e&255)/255],In={sun:Fn(3950694),above:Fn(6975624),below:Fn(3751246),haze:Fn(2239298)},Ln={sun:Fn(8221532),above:Fn(11712962),below:Fn(6775644),haze:Fn(12572900)},Rn={sun:Fn(11561530),above:Fn(10915724),haze:Fn(14656898)},zn={STORM:{haze:Fn(7832203),share:.65,sun:.25},COLD:{haze:Fn(14279916),share:.5,sun:.6}},Bn=(e,t,n)=>e.map((e,r)=>e+(t[r]-e)*n),Vn=e=>e<.25||e>.75})),Un,Wn,Gn,Kn,qn,Jn,Yn,Xn,Zn,Qn,$n,er,tr,nr,rr,ir,ar,or,sr,cr,lr,ur,dr,fr=n((()=>{Un={JOIN:[`people`,`arrived`],LEAVE:[`people`,`left; the body stays`],"LEAVE.retired":[`people`,`left for good`],DOWNED:[`people`,`collapsed and woke up at home`],LET_OUT:[`people`,`was let out of somebody else's land`],CHAT:[`talk`,`says`],"CHAT.MARKET":[`talk`,`says to everybody`],POST:[`talk`,`put up a notice`],POST_REMOVED:[`talk`,`took down a notice`],BUILT:[`work`,`finished {a blueprint}`],UNLOCKED:[`work`,`{achieved} for the first time`],CREATE_ORG:[`society`,`founded {name}`],JOIN_ORG:[`society`,`joined {org}`],LEAVE_ORG:[`society`,`left {org}`],INVITE_ORG:[`society`,`invited {member} to join {org}`],SET_ORG_ROLE:[`society`,`gave {member} the rank of {role} in {org}`],SET_ORG_OPEN:[`society`,`changed who may join {org}`],PASSED_LEADERSHIP:[`society`,`handed {org} over to {member}`],ORG_ENDED:[`society`,`was the last member of {name}, which is no more`],ORG_DEPOSIT:[`society`,`gave {goods} to {org}`],ORG_WITHDRAW:[`society`,`took {goods} from {org}`],CLAIM_LAND:[`society`,`claimed land`],UPGRADE_CLAIM:[`society`,`enlarged their land`],OFFER_LAND:[`society`,`offered land to {new owner}`],DEED_LAND:[`society`,`gave land to {new owner}`],INHERITED_LAND:[`society`,`took over the land of {org}`],LEAVE_LAND:[`society`,`gave up their part in a land`],ADD_MEMBER:[`society`,`took {member} in on their land`],REMOVE_MEMBER:[`society`,`no longer lets {member} share their land`],SET_PERMISSIONS:[`society`,`changed what strangers may do on their land`],LAND_ENDED:[`society`,`lost their land`,`{owner}`],PAID_UPKEEP:[`society`,`paid for the upkeep of their land`],MISSED_UPKEEP:[`society`,`could not pay for the upkeep of their land`],PAID_FINE:[`society`,`paid a fine of {goods} to {owner}`],PAID_TICKET:[`society`,`paid {goods} to {owner} to come in`],LAW:[`society`,`proposed a law`],"LAW.NOTICE":[`society`,`proposed a law`],"LAW.VOTING":[`society`,`proposed a law that comes to the vote`],"LAW.ACTIVE":[`society`,`proposed a law that is now in force`],"LAW.REJECTED":[`society`,`proposed a law that was rejected`],VOTE:[`society`,`voted`],TRADE:[`society`,`bought {offer} from {seller} for {request}`],CONTRACT:[`society`,`offered a contract`],"CONTRACT.OPEN":[`society`,`offered a contract`],"CONTRACT.ACCEPTED":[`society`,`took a contract of {poster}`],"CONTRACT.COMPLETED":[`society`,`kept a contract with {poster}`],"CONTRACT.FAILED":[`society`,`had a contract run out`,`{poster}`],BACKED:[`society`,`added to the reward of a contract`],WORLD_EVENT:[`society`,`is over`,`{event}`],"WORLD_EVENT.on":[`society`,`begins`,`{event}`],REACHED_GOAL:[`society`,`took part in “{event}”`],TOWN_RESULT:[`society`,`ordered {town} to {order}`,`The {office}`],"TOWN_RESULT.refused":[`society`,`wanted {town} to {order}, which was refused`,`The {office}`],SEASON_ROLLOVER:[`society`,`begins`,`Season {season}`],ROLLBACK:[`society`,`put a piece of land back as it was`,`The keeper of the world`]},Wn={collect_wood:[`fell a tree`,`felled a tree`],collect_sapling:[`pick up a sapling`,`picked up a sapling`],collect_seeds:[`gather seeds`,`gathered seeds`],collect_berries:[`pick berries`,`picked berries`],collect_meat:[`catch a rabbit`,`caught a rabbit`],collect_stone:[`mine stone`,`mined stone`],collect_coal:[`mine coal`,`mined coal`],eat_berries:[`eat berries`,`ate berries`],place_plant:[`plant something`,`planted something`],place_stone:[`lay a stone`,`laid a stone`],place_bench:[`set up a bench`,`set up a bench`],make_torch:[`make a torch`,`made a torch`],make_wood_pickaxe:[`make a wooden pickaxe`,`made a wooden pickaxe`],make_stone_pickaxe:[`make a stone pickaxe`,`made a stone pickaxe`],place_furnace:[`set up a furnace`,`set up a furnace`],collect_iron:[`mine iron`,`mined iron`],collect_copper:[`mine copper`,`mined copper`],make_bread:[`bake bread`,`baked bread`],make_iron_pickaxe:[`make an iron pickaxe`,`made an iron pickaxe`],make_wire:[`draw wire`,`drew wire`],collect_crystal:[`mine crystal`,`mined crystal`],make_contract_terminal:[`make a contract terminal`,`made a contract terminal`],post_notice:[`put up a notice`,`put up a notice`],trade_goods:[`trade with somebody`,`traded with somebody`],join_org:[`join a city or guild`,`joined a city or guild`],finish_house:[`finish a house`,`finished a house`],reach_event_goal:[`take part in an event`,`took part in an event`],have_contract_kept:[`have a contract kept`,`had a contract kept`],keep_contract:[`keep a contract`,`kept a contract`],cast_vote:[`vote`,`voted`],claim_land:[`claim land`,`claimed land`],propose_law:[`propose a law`,`proposed a law`],pass_law:[`get a law passed`,`got a law passed`]},Gn={MOVE_TO:`walking`,FOLLOW:`following`,STOP:`stopping`,MINE:`mining`,GATHER:`gathering`,PLACE:`placing`,OPEN:`opening`,TRANSFER:`carrying`,CRAFT:`crafting`,SMELT:`smelting`,BUILD_BLUEPRINT:`building`,CLAIM_LAND:`claiming land`},Kn={MOVE_TO:`walk`,FOLLOW:`follow somebody`,STOP:`stop`,MINE:`mine`,GATHER:`gather`,PLACE:`place a block`,OPEN:`look into a chest`,TRANSFER:`put in or take out`,CRAFT:`craft`,SMELT:`smelt`,BUILD_BLUEPRINT:`build`,CLAIM_LAND:`claim land`,SAY:`speak`,WHISPER:`whisper`,EAT:`eat`,SAVE_MEMORY:`make a note`,LOAD_MEMORY:`read its notes`,SET_SIGN:`write on a sign`,TOGGLE_SWITCH:`turn a switch`,OFFER_TRADE:`offer a trade`,ACCEPT_TRADE:`accept a trade`,DECLINE_TRADE:`decline a trade`,CANCEL_TRADE:`take back an offer`,POST_BOARD:`put up a notice`,REMOVE_POST:`take down a notice`,SEARCH_BOARD:`read a board`,SET_PERMISSIONS:`change the rights on its land`,ADD_MEMBER:`take somebody in on its land`,REMOVE_MEMBER:`send somebody off its land`,ACCEPT_LAND:`accept land`,LEAVE_LAND:`give up its part in a land`,UPGRADE_CLAIM:`enlarge its land`,DEED_LAND:`give away its land`,CREATE_ORG:`found an organisation`,JOIN_ORG:`join an organisation`,LEAVE_ORG:`leave an organisation`,ORG_DEPOSIT:`pay into a treasury`,ORG_WITHDRAW:`take from a treasury`,SET_ORG_OPEN:`change who may join`,INVITE_ORG:`invite somebody`,SET_ORG_ROLE:`give a rank`,PROPOSE_LAW:`propose a law`,VOTE:`vote`,POST_CONTRACT:`offer a contract`,ACCEPT_CONTRACT:`take a contract`,SUBMIT_CONTRACT:`hand in a contract`,CANCEL_CONTRACT:`take back a contract`,CLAIM_OWED:`fetch what it is owed`},qn={BERRY_BUSH_BARE:`bare berry bush`,BEDROCK:`bedrock`,CLAIM_TOTEM:`totem of the land`,WARREN:`rabbit warren`,WARREN_EMPTY:`empty warren`,WHEAT_RIPE:`ripe wheat`,WHEAT_SPROUT:`young wheat`},Jn={BATTERY:`took down a battery`,BERRY_BUSH:`picked berries`,BERRY_BUSH_BARE:`cleared a bare berry bush`,BRICK:`took down a brick`,BULLETIN_BOARD:`took down a board`,CHEST:`took away a chest`,CLAIM_TOTEM:`took down a totem`,CONTRACT_TERMINAL:`took down a terminal`,CONVEYOR:`took up a conveyor`,CRAFTING_BENCH:`took away a bench`,DIRT:`dug earth`,FURNACE:`took away a furnace`,GLASS:`took down a pane of glass`,GRASS:`dug earth`,GRAVEL:`dug gravel`,LEAVES:`cut leaves`,LOG:`cut a log`,METAL_PLATE:`took down a metal plate`,PLANK:`took down a plank`,SAND:`dug sand`,SAPLING:`pulled up a sapling`,SENSOR:`took down a sensor`,SIGN:`took down a sign`,SWITCH:`took down a switch`,TALL_GRASS:`cut tall grass`,TORCH:`took down a torch`,WARREN:`caught a rabbit`,WARREN_EMPTY:`dug up an empty warren`,WATER:`scooped water`,WHEAT_RIPE:`harvested wheat`,WHEAT_SPROUT:`pulled up young wheat`,WIRE:`took up a wire`},Yn={SAPLING:`planted a sapling`,TORCH:`lit a torch`,WATER:`poured water`,WHEAT_SPROUT:`sowed wheat`},Xn={brick_house:`brick house`,cottage:`cottage`,glass_house:`house with windows`,hall:`hall`,hut_small:`small hut`,lamp_post:`lamp post`,log_cabin:`log cabin`,longhouse:`longhouse`,market_stall:`market stall`,paved_road:`paved road`,road_segment:`plank road`,road_turn:`bend of a plank road`,stone_wall_segment:`piece of stone wall`,storehouse:`storehouse`,town_gate:`town gate`,watch_tower:`watch tower`,well:`well`,workshop_pad:`workshop`},Zn={BANDIT_CAMP:`Bandit camp`,BLIGHT_ZONE:`Blight`,BLUEPRINT_FAIR:`Blueprint fair`,BUILDER_EXPO:`Builders' exhibition`,CIVIC_VOTE:`Days of the vote`,COLD_SNAP:`Cold snap`,CRYSTAL_RIFT:`Crystal rift`,DEEP_VEIN:`Deep vein`,FLOOD_WARNING:`Flood warning`,MARKET_WEEK:`Market week`,RUINS_GATE:`Gate to the ruins`,STORM_FRONT:`Storm front`},Qn={ACCESS_PASS_CORE:`A stranger pays {ticket} to enter the middle of the land.`,CURFEW_NO_BUILD:`Nobody builds or breaks between {start} and {end}.`,FINE_BREAK_PER_BLOCK:`A stranger who breaks something pays {fine} a block.`,MARKET_TAX:`{share} % of whatever is traded here goes to the owner of the land.`},$n={NOTICE:[`announced`,`wait`],VOTING:[`voting`,`wait`],ACTIVE:[`in force`,`good`],REJECTED:[`rejected`,`bad`],OPEN:[`open`,`wait`],ACCEPTED:[`taken`,`wait`],COMPLETED:[`kept`,`good`],FAILED:[`failed`,`bad`]},er={LEADER:`leader`,OFFICER:`officer`,MEMBER:`member`},tr={CITY:`city`,GUILD:`guild`},nr={MAYOR_ACCEPT_MISSION:`take up a mission`,PROJECT_ADVANCE:`go on with a work`,SALVAGE_PLAN:`gather what is scarce`,TOWNSFOLK_TALK:`talk to its people`},rr={dread:`because people are afraid`,scarcity:`because goods are short`,threat:`because of a danger`,"morale-boost":`to cheer them up`,casual:`to pass the news`},ir={mission:`take up a mission`,project:`go on with a work`,salvage:`gather what is scarce`,townsfolk:`talk to its people`},ar={"^Scarcity (\\d+)% and dread (\\d+)% require .*$":`Goods are short ($1 %) and people afraid ($2 %): we stock up.`,"^Threat level (\\d+)% demands .*$":`We are in danger ($1 %), so we go on with what protects us.`,"^Hope level (\\d+)%\\. Time to speak .*$":`Hope stands at $1 %; it is time to talk to people.`,"^No active mission\\. Authority level (\\d+)% .*$":`We have no mission; I may take one up (authority $1 %).`},or={threat:`danger`,scarcity:`want`,hope:`hope`,dread:`fear`},sr={executed:`it was done`,failed:`it failed`,rejected:`it was refused`,duplicate:`it had been ordered before`,stale:`it came too late`},cr={completed:`Played to the end`,maxTurnsReached:`Ended with the last turn that it could have`,error:`Ended because an agent failed`,interrupted:`Broken off`},lr={CLEAR:`clear`,COLD:`cold`,STORM:`storm`},ur={WORLD:`the world`,OPERATOR:`the operator`,CHRONICLE:`the chronicle`},dr={happenings:Un,achievements:Wn,tasks:Gn,actions:Kn,blocks:qn,taken:Jn,put:Yn,blueprints:Xn,events:Zn,laws:Qn,states:$n,ranks:er,organisations:tr,orders:nr,targets:rr,commands:ir,reasons:ar,meters:or,outcomes:sr,terminations:cr,weather:lr,speakers:ur}}));function pr(e,t){return Object.hasOwn(e,t)?e[t]:void 0}function mr(e){let[,t,n]=/^(.{1,60}) (\d{1,6})$/.exec(e)??[];return t===void 0?e:`${yr(Sr(t.toLowerCase().replaceAll(` `,`_`)))}, work ${n}`}function hr(e){for(let[t,n]of Object.entries(dr.reasons)){let r=new RegExp(t);if(r.test(e))return e.replace(r,n)}return e}function gr(e){let[t,n]=pr(dr.states,e)??[vr(e),`wait`];return{word:t,mood:n}}function _r(e,t){let n=dr.happenings,[r,i,a]=pr(n,`${e}.${t}`)??pr(n,e)??[`society`,vr(e)];return a===void 0?{sort:r,did:i}:{sort:r,did:i,who:a}}var vr,yr,br,xr,Sr,Cr,wr,Tr,Er,Dr,Or,kr,Ar,jr,Mr,Nr,Pr,Fr,Ir,Lr,Rr,zr,Br,Vr,Hr=n((()=>{fr(),vr=e=>e.toLowerCase().replaceAll(`_`,` `),yr=e=>e.charAt(0).toUpperCase()+e.slice(1),br=e=>t=>pr(e,t)??vr(t),xr=br(dr.blocks),Sr=br(dr.blueprints),Cr=br(dr.events),wr=br(dr.ranks),Tr=br(dr.organisations),Er=br(dr.orders),Dr=br(dr.targets),Or=br(dr.meters),kr=br(dr.outcomes),br(dr.terminations),Ar=br(dr.weather),jr=br(dr.tasks),Mr=br(dr.actions),Nr=e=>Object.hasOwn(dr.actions,e),Pr=e=>pr(dr.commands,e.split(` `)[0]),Fr=e=>pr(dr.speakers,e),Ir=e=>pr(dr.achievements,e)?.[0]??vr(e),Lr=e=>pr(dr.achievements,e)?.[1]??`did “${vr(e)}”`,Rr=e=>pr(dr.taken,e)??`mined ${xr(e)}`,zr=e=>pr(dr.put,e)??`placed ${xr(e)}`,Br=e=>pr(dr.laws,e)??vr(e),Vr=(e,t)=>e.replace(/\{([a-z ]+)\}/g,(e,n)=>Object.hasOwn(t,n)?t[n]():e)}));async function Ur(e){if(O()!==null&&!Xr.test(e))return null;try{let t=await fe(e,{signal:AbortSignal.timeout(Kr)});return t.ok?await t.json():null}catch{return null}}function Wr({template_id:e,params:t}){let{start_time:n,end_time:r,fine_item:i,fine_per_block:a,ticket_item:o,ticket_cost:s,market_tax:c}=t;return Vr(Br(e),{share:()=>String(Math.round(ai(c)*100)),start:()=>Pn(ai(n)),end:()=>Pn(ai(r)),fine:()=>ri(String(i),Number(a)),ticket:()=>ri(String(o),Number(s))})}var Gr,Kr,qr,Jr,Yr,Xr,Zr,Qr,$r,ei,ti,ni,ri,ii,R,ai,oi,si,z=n((()=>{M(),pe(),Hn(),Hr(),Gr=e=>e.replaceAll(`_`,` `),Kr=8e3,qr=3e3,Jr=6e4,Yr=new Set([`LAW`,`VOTE`,`CONTRACT`,`BACKED`,`POST`,`POST_REMOVED`,`CREATE_ORG`,`JOIN_ORG`,`LEAVE_ORG`,`ORG_ENDED`,`ORG_DEPOSIT`,`ORG_WITHDRAW`,`CLAIM_LAND`,`UPGRADE_CLAIM`,`DEED_LAND`,`LAND_ENDED`,`PAID_UPKEEP`,`MISSED_UPKEEP`,`WORLD_EVENT`,`TOWN_RESULT`,`TRADE`,`BUILT`,`SEASON_ROLLOVER`]),Xr=/^(v1\/matches|admin\/v1\/observer\/society$)/,Zr=class{arrived;society=null;buildings=[];elections=[];people=[];answered=!1;towns=new Map;changed=!0;asking=!1;askedAt=-6e4;constructor(e){this.arrived=e}take(e){this.changed||=e.some(e=>Yr.has(e.kind))}async askForPeople(){this.people=await Ur(`admin/v1/observer/people`)??this.people}town(e){return this.towns.get(e)}async refresh(e){let t=e-this.askedAt;if(this.asking||!(this.changed?t>qr:t>Jr))return;this.asking=!0,this.changed=!1,this.askedAt=e;let n=await Ur(`admin/v1/observer/society`);if(this.answered=!0,n){this.society=n,this.buildings=await Ur(`admin/v1/observer/buildings`)??this.buildings,this.elections=await Ur(`admin/v1/observer/elections`)??this.elections,await this.askForPeople();let e=n.organisations.filter(({kind:e})=>e===`CITY`);for(let{id:t}of e){let e=await Ur(`v1/towns/${t}/snapshot`);e&&this.towns.set(t,e)}this.arrived()}this.asking=!1}},Qr=e=>e.toLowerCase().replaceAll(`_`,` `),$r=e=>`a ${Sr(e)}`,ei=/^(BREAD|CLAY|COAL|DIRT|GLASS|GRASS|GRAVEL|ICE|LEAVES|SAND|STONE|WATER|WHEAT|WIRE|.*_(ORE|MEAT|DUST|GRASS))$/,ti=e=>/(s|ore|meat)$/.test(e)?e:`${e.replace(/y$/,`ie`).replace(/ch$/,`che`)}s`,ni=e=>ei.test(e)?Qr(e):ti(Qr(e)),ri=(e,t)=>`${t} ${t===1?Qr(e).replace(/ies$/,`y`):ni(e)}`,ii=e=>Object.entries(e).map(([e,t])=>ri(e,t)).join(`, `),R=(e,t)=>`day ${Math.floor(e/t)+1}, ${Pn(e%t/t)}`,ai=e=>Number(e??0)/1e6,oi=(e,t,n)=>e?.lands.filter(({anchor:e,radius:r})=>Math.abs(t-e[0])<=r&&Math.abs(n-e[2])<=r).sort((e,t)=>e.radius-t.radius)[0],si=e=>e.kind===`BUILD`?`${$r(e.blueprint_id)} at ${e.anchor?.[0]}, ${e.anchor?.[2]}`:ii(e.asked)}));function ci({kind:e,from:t,agent:n,text:r,data:i},a){let o=e===`CHAT`&&i&&typeof i==`object`&&`quarrel`in i?i.quarrel:void 0;if(!o||typeof o!=`object`||!(`by`in o)||!(`against`in o))return;let{by:s,against:c}=o,l=t??n??``;if(typeof s==`string`&&typeof c==`string`&&_(s)&&_(c))return{tick:a,speaker:l,by:s,against:c,isSettled:`step`in o&&o.step===`peace`,said:r??``}}function li({kind:e,channel:t,status:n,state:r,on:i,retired:a}){return e===`LEAVE`?a?`retired`:``:e===`WORLD_EVENT`?i?`on`:``:e===`TOWN_RESULT`?n===`executed`?``:`refused`:t??n??r??``}function ui({kind:e,text:t,title:n,command:r}){return e===`CHAT`?t??``:e===`POST`||e===`LAW`?n??``:e===`TOWN_RESULT`&&Pr(r??``)===void 0?r??``:void 0}function di(e,t){let{sort:n,did:r,who:i}=_r(e.kind,li(e)),a=gi(e,t),o=ui(e);return{sort:n,did:e.kind===`TRADE`&&!e.offer?`traded with ${a.seller()}`:Vr(r,a),...i!==void 0&&{who:Vr(i,a)},...(e.kind===`JOIN`||e.kind===`LEAVE`)&&{who:e.name??``,see:e.agent??``},...o!==void 0&&{quote:o}}}function fi(e){let t=[];for(let n of e){let e=t.at(-1),r=e?.tick===n.tick&&e.sort===n.sort&&e.did===n.did;e&&r&&n.quote===void 0&&e.quote===void 0?e.others++:t.push({...n,others:0})}return t}var pi,mi,hi,gi,_i,vi,yi,bi,xi=n((()=>{M(),z(),Hr(),pi=[`talk`,`people`,`society`,`work`],mi=150,hi=100,gi=(e,t)=>({"a blueprint":()=>$r(e.blueprint_id??``),achieved:()=>Lr(e.achievement??``),event:()=>Cr(e.event_id??``),goods:()=>ri(e.item??``,e.count??0),member:()=>t(e.member_id??``),name:()=>e.name??``,"new owner":()=>t(e.new_owner??``),offer:()=>_i(e.offer),office:()=>(e.actor??`council`).replace(/-\d+$/,``),order:()=>Pr(e.command??``)??`do something`,org:()=>t(e.org_id??``),owner:()=>t(e.owner??``),poster:()=>t(e.poster??``),request:()=>_i(e.request),role:()=>wr(e.role??``),season:()=>String(e.season??``),seller:()=>t(e.with??``),town:()=>t(e.town_id??``)}),_i=(e=[])=>ii(Object.fromEntries(e))||`nothing`,vi={MINE:(e,t)=>Rr(t.name(e.from)),PLACE:(e,t)=>zr(t.name(e.to)),BUILD_BLUEPRINT:()=>`worked on a building`},yi=(e,t)=>e.reason===`BUILD_BLUEPRINT`?`built with ${t.word(e.to)}`:vi[e.reason??``]?.(e,t)??(e.to?`put ${t.word(e.to)}`:`took away ${t.word(e.from)}`),bi=class{kept={talk:[],people:[],society:[],work:[]};next=1;quarrel;lines(e,t){return e.flatMap(e=>this.kept[e]).sort((e,t)=>t.tick-e.tick||t.key-e.key).slice(0,t)}of(e,t){return this.lines(pi,600).filter(({see:t})=>t===e).slice(0,t)}saidBy(e){return this.kept.talk.find(({see:t})=>t===e)}takeEach(e,t,n,r,i){for(let a of e.eventful(t,n))this.take(a,r,i)}take(e,t,n){for(let[t,r]of(e.happenings??[]).entries()){let{who:i,...a}=di(r,n);this.quarrel=ci(r,e.tick)??this.quarrel;let o=r.agent??r.actor??r.from??``;this.add({tick:e.tick,which:`${t+1}`,who:i??n(o),count:1,...o&&!i&&{see:o},...a})}for(let[r,i]of(e.audits??[]).entries()){let a=vi[i.reason??``]?.(i,t);a!==void 0&&this.addWork({tick:e.tick,which:`b${r+1}`,sort:`work`,who:n(i.actor),see:i.actor,did:a,count:1})}}goBack(e){for(let t of pi){let n=this.kept[t],r=n.at(-1)?.tick??1/0,i=e.kept[t].filter(({tick:e})=>e<r).map(e=>({...e,key:-e.key}));this.kept[t]=[...n,...i].slice(0,mi)}this.quarrel??=e.quarrel}addWork(e){let t=this.kept.work.find(t=>t.see===e.see&&t.did===e.did&&e.tick-t.tick<=hi);t?(t.count++,t.tick=e.tick,t.which=e.which):this.add(e)}add(e){let t=this.kept[e.sort];t.unshift({key:this.next++,...e}),t.length>mi&&t.pop()}}})),Si,Ci,wi,Ti,Ei,Di,Oi=n((()=>{Si=160,Ci=1e3,wi=2,Ti=12,Ei=5,Di=class{paths=new Map;squares=new Map;since=0;take({tick:e,agents:t,audits:n}){(!this.since||e<this.since)&&(this.since=e,this.paths.clear(),this.squares.clear());for(let{id:n,pos:[r,,i]}of t)this.step(n,{x:r,z:i,tick:e});for(let{pos:[e,,t],to:r}of n??[])this.square(Math.floor(e/8),Math.floor(t/8))[r===0?`mined`:`placed`]++}takeWalks(e,t,n){for(let{id:r,x:i,z:a,tick:o}of e.walks(t,n,Ei))this.step(r,{x:i,z:a,tick:o});this.since||=1}square(e,t){let n=`${e},${t}`,r=this.squares.get(n);if(r)return r;let i={x:e,z:t,mined:0,placed:0};return this.squares.set(n,i),i}takeSquares(e){for(let[t,n,r,i]of e){let e=this.square(t,n);e.mined+=r,e.placed+=i}}goBack(e){for(let[t,n]of e.paths){let e=this.paths.get(t)??[];this.paths.set(t,[...n.filter(({tick:t})=>!e[0]||t<e[0].tick),...e].slice(-160))}}step(e,t){let n=this.paths.get(e)??[],r=n[n.length-1],i=r?Math.hypot(t.x-r.x,t.z-r.z):1/0;if(!(i<wi)){for(r&&i>Ti&&(n.length=0),n.push(t);n.length>Si||n[0].tick<t.tick-1e3;)n.shift();this.paths.set(e,n)}}static count({mined:e,placed:t},n){return n===`all`?e+t:n===`mined`?e:t}}})),ki,Ai=n((()=>{ki=class{limit;entries=new Map;constructor(e){this.limit=e}get(e){return this.entries.get(e)}has(e){return this.entries.has(e)}set(e,t){this.entries.delete(e),this.entries.set(e,t),this.entries.size>this.limit&&this.entries.delete(this.entries.keys().next().value)}values(){return this.entries.values()}clear(){this.entries.clear()}}})),ji,Mi,Ni,Pi,Fi,Ii,Li,Ri=n((()=>{Ai(),cn(),qe(),ji=40,Mi=1e3,Ni=1e4,Pi=4,Fi=class{parts=new ki(ji);pace=new sn(Mi);get(e){return this.parts.get(e)}values(){return this.parts.values()}clear(){this.parts.clear()}load(e,t,n,r){this.pace.admits(e)&&t().then(t=>{this.parts.set(e,t),n()},r)}},Ii=e=>Math.floor(e/250),Li=class{listener;of;state=null;possible=0;segments=new Fi;privateRecords=new Fi;activity=new ki(ji);statePace=new sn(Ni);constructor(e,t=Be){this.listener=e,this.of=t}get loaded(){return[...this.segments.values()].map(({document:e})=>[e.first,e.last])}begin(){this.statePace.reset(),this.segments.clear()}askAgain(){this.statePace.reset()}async refresh(e){if(!this.statePace.admits(`state`,e))return null;let t=await Ve(this.of).catch(()=>null);if(!t)return null;if(this.state&&t.world!==this.state.world)for(let e of[this.segments,this.activity,this.privateRecords])e.clear();return this.state=t,this.possible=this.countPossible(t),t}holds(e){if(e<0)return!1;let t=Math.max(1,e*250),n=(e+1)*250-1;return this.state?.playable.some(([e,r])=>e<=t&&n<=r)??!1}isGone(e){return this.state===null||e>=this.state.tick?!1:!this.state.playable.some(([t,n])=>t<=e&&e<=n)}segment(e){return this.segments.get(e)}segmentWith(e){let t=Ii(e);this.isGone(e)||this.need(t,e);let n=this.segments.get(t);return n?.has(e)?n:null}need(e,t){if(this.segments.get(e)?.has(t)||!this.state)return;let{world:n}=this.state;this.segments.load(e,()=>Ue(e,n,this.of),()=>this.listener.segmentArrived(e),t=>this.listener.segmentFailed(e,t))}between(e,t){let n=Math.min(e,t),r=Math.max(e,t),i=Ii(n+1),a=Ii(r);if(a-i>Pi)return null;let o=[];for(let e=i;e<=a;e++){let t=this.segments.get(e);if(!t||t.document.seasons.some(([e])=>e>n&&e<=r)||e===a&&!t.has(r))return null;o.push(t)}return o}privateRecordsOf(e,t,n,r){let i=this.privateRecords.get(e);if((!i||i.last<t)&&this.state){let{world:t}=this.state,i=e===Ii(n)?n:1/0;this.privateRecords.load(e,async()=>({last:i,records:await We(e,t,this.of)}),r,()=>{})}return i?.records??null}loadedPrivateRecords(e){return this.privateRecords.get(e)?.records??null}activityBefore(e,t){return this.activity.has(e)||(this.activity.set(e,[]),Ge(0,e*250-1,this.of).then(n=>{this.activity.set(e,n),t()},()=>{})),this.activity.get(e)??[]}countPossible({missing:e,of:t}){let n=new Set;for(let{first:r,last:i}of e)for(let e=Ii(r);e*250<=i&&e<t;e++)this.holds(e)||n.add(e);return t-n.size}}}));async function zi(e,t,{looks:n,nameOf:r,strict:i}){if(!e.state)return null;let{world:a}=e.state,o=Ii(t),s=Math.max(0,o-4),c=[...Array(o-s+1).keys()].map(e=>s+e).filter(t=>t===o||e.holds(t)),l=await Promise.all(c.map(t=>Ue(t,a,e.of).catch(e=>{if(i)throw e;return null}))),u=await Ge(0,o*250-1,e.of).catch(()=>[]),d=new Bi;for(let e of l)e&&(d.takeSegment(e,t-1,n,r),e.n===o&&d.countBlocks(e,t-1));return d.traces.takeSquares(u),d}var Bi,Vi,Hi=n((()=>{xi(),qe(),Oi(),Ri(),Bi=class{chronicle=new bi;traces=new Di;takeSegment(e,t,n,r){let i=e.document.first-1;this.chronicle.takeEach(e,i,t,n,r),this.traces.takeWalks(e,i,t)}countBlocks(e,t){for(let[n,r,,i,,a]of e.document.blocks)e.n*250+n>t||this.traces.square(r>>3,i>>3)[a===0?`mined`:`placed`]++}},Vi=class{tape;nameOf;history=new Bi;firstSegment=1/0;constructor(e,t){this.tape=e,this.nameOf=t}get chronicle(){return this.history.chronicle}get traces(){return this.history.traces}reset(){this.firstSegment=1/0}isComplete(e){return this.firstSegment<=e.n-4}build(e,t,n){let r=Math.max(0,e.n-4);for(let t=e.n-1;t>=r;t--)this.tape.holds(t)&&this.tape.need(t,Math.max(1,t*250));let i=e.n;for(;i>r&&this.tape.segment(i-1)?.complete;)i--;let a=this.tape.activityBefore(e.n,()=>this.reset());if(!(i>=this.firstSegment)){this.firstSegment=i,this.history=new Bi;for(let t=i;t<e.n;t++)this.history.takeSegment(this.tape.segment(t),1/0,n,this.nameOf);this.history.takeSegment(e,t,n,this.nameOf),this.traces.takeSquares(a),this.history.countBlocks(e,t)}}}})),Ui,Wi=n((()=>{qe(),Hi(),Ri(),Ui=class{tape;clock;isOpen;changed;constructor(e,t,n,r){this.tape=e,this.clock=t,this.isOpen=n,this.changed=r}pocketOf(e){return this.record(`pockets`,e)}chestAt(e){return this.record(`chests`,e)}refusals(){let{tick:e}=this.clock,t=Ii(e),n=[];for(let r=Math.max(0,t-4);r<=t;r++){let i=r===t?e:(r+1)*250-1,a=this.recordsOf(r,i)?.of(i-r*250).get(`refused`)??[];for(let[e,t]of a){let[r,[i,,a]]=t;n.push({agent:e.split(` `)[0],deed:r,x:i,z:a})}}return n}record(e,t){let{tick:n}=this.clock,r=Ii(n);return this.recordsOf(r,n)?.one(n-r*250,e,t)}recordsOf(e,t){return this.isOpen()?this.tape.privateRecordsOf(e,t,this.clock.liveTick,this.changed):this.tape.loadedPrivateRecords(e)}}}));function Gi(e){let t=7;for(let n=0;n<e.length;n++)t=Math.imul(t,31)+e.charCodeAt(n)>>>0;let n=e=>96+(t>>>e&95);return{top:n(0)<<16|n(8)<<8|n(16)}}var Ki,qi,Ji,Yi,Xi,Zi,Qi,$i,ea,ta,na=n((()=>{Hr(),Ki=[`plain`,`grass`,`earth`,`stone`,`planks`,`bricks`,`bark`,`leaves`,`water`,`window`,`framed`,`chest`,`furnace`,`plant`,`crop`],qi={GRASS:`grass`,DIRT:`earth`,SAND:`earth`,GRAVEL:`earth`,WARREN:`earth`,WARREN_EMPTY:`earth`,STONE:`stone`,BEDROCK:`stone`,COAL_ORE:`stone`,IRON_ORE:`stone`,COPPER_ORE:`stone`,CRYSTAL_ORE:`stone`,ICE:`stone`,PLANK:`planks`,SIGN:`planks`,BRICK:`bricks`,LOG:`bark`,LEAVES:`leaves`,WATER:`water`,GLASS:`window`,METAL_PLATE:`framed`,CRAFTING_BENCH:`framed`,BULLETIN_BOARD:`framed`,CLAIM_TOTEM:`framed`,CONTRACT_TERMINAL:`framed`,CONVEYOR:`framed`,BATTERY:`framed`,SENSOR:`framed`,SWITCH:`framed`,CHEST:`chest`,FURNACE:`furnace`,SAPLING:`plant`,BERRY_BUSH:`plant`,BERRY_BUSH_BARE:`plant`,TALL_GRASS:`plant`,WHEAT_SPROUT:`crop`,WHEAT_RIPE:`crop`},Ji={AIR:{top:0,shape:`none`},GRASS:{top:8363350,side:9073488,under:`DIRT`},DIRT:{top:9137484,under:`DIRT`},SAND:{top:14469528,side:13679753,under:`SAND`},STONE:{top:10263187,side:9473672},GRAVEL:{top:10787728,under:`STONE`},WATER:{top:6001589,side:4948646,shape:`water`,under:`WATER`},ICE:{top:13230314,side:11849950,under:`WATER`},BEDROCK:{top:4868165},COAL_ORE:{top:6512990},IRON_ORE:{top:11901572},COPPER_ORE:{top:12158305},CRYSTAL_ORE:{top:10850249,glow:!0},LOG:{top:11111004,side:7296055},LEAVES:{top:6260552,side:5536321},PLANK:{top:12884579,side:12095064},BRICK:{top:11429202,side:10705994},GLASS:{top:13887210},METAL_PLATE:{top:11910338},CHEST:{top:11105583,side:9988138},FURNACE:{top:7828591,side:6973282},CRAFTING_BENCH:{top:13608299,side:9726266},BULLETIN_BOARD:{top:11963472,side:14733215},CLAIM_TOTEM:{top:14267466,side:11555903},CONTRACT_TERMINAL:{top:5533820,side:4611689},CONVEYOR:{top:6251371,side:5066839},BATTERY:{top:7314018,side:4937040},SENSOR:{top:10271940,side:7176070},SWITCH:{top:12801343,side:7762283},WIRE:{top:11880495,shape:`flat`,under:`DIRT`},TORCH:{top:16765562,side:15906384,shape:`post`,under:`DIRT`,glow:!0},SIGN:{top:13281392,side:12425826,shape:`board`,under:`GRASS`},SAPLING:{top:7905358,shape:`plant`,under:`GRASS`},BERRY_BUSH:{top:10242648,side:7176006,shape:`plant`,under:`GRASS`},BERRY_BUSH_BARE:{top:8096333,shape:`plant`,under:`GRASS`},TALL_GRASS:{top:9810015,side:8363350,shape:`plant`,under:`GRASS`},WHEAT_SPROUT:{top:11124060,side:9415250,shape:`plant`,under:`DIRT`},WHEAT_RIPE:{top:14860640,side:12755531,shape:`plant`,under:`DIRT`},WARREN:{top:7164472,side:9137484,under:`DIRT`},WARREN_EMPTY:{top:8217414,side:9137484,under:`DIRT`}},Yi={BERRIES:10242648,BREAD:13209418,COAL:3881528,COOKED_MEAT:9065526,COPPER_INGOT:12614222,CRYSTAL_SHARD:10850249,IRON_INGOT:13486527,RAW_MEAT:12608604,SEEDS:12038250,STICK:11111004,WHEAT:14860640},Xi={WOOD:12095064,STONE:9473672,IRON:13486527},Zi=e=>Yi[e]??Ji[e]?.top??Xi[/^(\w+)_(AXE|PICKAXE|SHOVEL)$/.exec(e)?.[1]??``],Qi=e=>Zi(e)!==void 0,$i=e=>`#${(Zi(e)??Gi(e).top).toString(16).padStart(6,`0`)}`,ea=e=>[e>>16,e>>8&255,e&255],ta=class{palette;shape;top;side;glow;kind;under;opaque;leaves;log;grass;constructor(e){this.palette=e;let t=e.map(e=>Ji[e]??Gi(e)),n=t=>Math.max(0,e.indexOf(t));this.shape=t.map(e=>e.shape??`cube`),this.top=t.map(e=>ea(e.top)),this.side=t.map(e=>ea(e.side??e.top)),this.glow=t.map(e=>e.glow??!1),this.kind=Uint8Array.from(e,e=>Ki.indexOf(qi[e]??`plain`)),this.under=Uint16Array.from(t,(e,t)=>e.under?n(e.under):t),this.opaque=Uint8Array.from(this.shape,e=>+(e===`cube`)),this.leaves=n(`LEAVES`),this.log=n(`LOG`),this.grass=n(`GRASS`)}name(e){return this.palette[e]??String(e)}word(e){return xr(this.palette[e]??`something`)}}}));function ra(e,t){let n=[],r=0;for(let i of e.matchAll(ia)){let{0:a,1:o,2:s,3:c,4:l,5:u,6:d,7:f,index:p}=i;(!u||Qi(u))&&(!f||Nr(f)||Qi(f))&&(n.push({text:e.slice(r,p)}),o?n.push({text:t(o),see:o}):c?n.push({text:aa(s,c,e.slice(0,p)),see:`@${c}`}):f?n.push({text:Nr(f)?Mr(f):ni(f)}):n.push({text:d?Sr(d):ri(u,Number(l))}),r=p+a.length)}return n.push({text:e.slice(r)}),n.filter(({text:e})=>e)}var ia,aa,oa,sa,ca=n((()=>{na(),z(),Hr(),ia=new RegExp([/\b(C\d{6}|ORG\d{6}|LAW\d{6}|LAND_A\d+_\d+)\b/,/\b([A-Z][A-Z_]{1,30})@(-?\d{1,6},-?\d{1,6},-?\d{1,6})/,/\b(\d{1,9}) ([A-Z][A-Z_]{1,30})\b/,/\b(BUILD|GATHER|DELIVER|[a-z]+(?:_[a-z0-9]+)+)\b/,/\b([A-Z]+(?:_[A-Z]+)+)\b/].map(({source:e})=>e).join(`|`),`g`),aa=(e,t,n)=>/\bthe \w+ is $/i.test(n)?`at ${t.replaceAll(`,`,` `)}`:`the ${xr(e)}`,oa=(e,t)=>ra(e,t).map(({text:e})=>e).join(``),sa=e=>e.replace(/\b[A-Z][A-Z_]{2,30}\b/g,e=>Qi(e)?xr(e):e)}));function la(e,t,n){return e+(((t-e)%fa+fa*1.5)%fa-fa/2)*n}function ua(e,t,n){let r=t>e?Math.min(1,n*2):Math.max(0,n*2-1);return e+(t-e)*r}var da,fa,pa,ma,ha,ga=n((()=>{da=4,fa=2*Math.PI,pa=e=>e/360*fa,ma=class{from;to;since=0;lasts=1;constructor(e,t){this.from=this.to={x:e[0]+.5,y:e[1],z:e[2]+.5,yaw:pa(t),speed:0}}goTo(e,t,n,r){let i=this.at(n),a={x:e[0]+.5,y:e[1],z:e[2]+.5,yaw:pa(t),speed:0},o=Math.hypot(a.x-i.x,a.z-i.z),s=o>da||Math.abs(a.y-i.y)>8;a.speed=s?0:o/r*1e3,this.from=s?a:i,this.to=a,this.since=n,this.lasts=r}at(e){let{from:t,to:n}=this,r=Math.min(1,Math.max(0,(e-this.since)/this.lasts));return r===1?{...n,speed:0}:{x:t.x+(n.x-t.x)*r,y:ua(t.y,n.y,r),z:t.z+(n.z-t.z)*r,yaw:la(t.yaw,n.yaw,Math.min(1,r*2)),speed:n.speed}}},ha=class{interval;last=0;constructor(e){this.interval=e}hear(e){let t=e-this.last;return this.last=e,t>0&&t<5*this.interval+1e3&&(this.interval+=(t-this.interval)*.1),Math.min(1500,Math.max(20,this.interval*1.1))}}}));function _a({connected:e,work_task:t,move_task:n,intent:r}){return e&&!t&&!n&&r?.startsWith(`Asleep`)?`asleep`:t?Sa(t):n?Sa(n):e?r?`standing`:`idle`:`away`}var va,ya,ba,xa,Sa,Ca,wa=n((()=>{ga(),Hr(),va=6e3,ya=class{agent;motion;hue;saying=null;constructor(e){this.agent=e,this.motion=new ma(e.pos,e.yaw),this.hue=ba(e.id)*.618034%1}get id(){return this.agent.id}pose(e){return this.motion.at(e)}say(e,t){this.saying={text:e,until:t+va}}get aim(){return(this.agent.work_task??this.agent.move_task)?.target??null}},ba=e=>Number.parseInt(e.slice(1),10)||0,xa=class{list=[];byId=new Map;beat;constructor(e){this.beat=new ha(1e3/e)}get(e){return e===null?void 0:this.byId.get(e)}get connected(){return this.list.reduce((e,t)=>e+Number(t.agent.connected),0)}take(e,t){let n=this.beat.hear(t),r=new Set(this.byId.keys());for(let i of e){r.delete(i.id);let e=this.byId.get(i.id);e?(e.agent=i,e.motion.goTo(i.pos,i.yaw,t,n),e.saying&&e.saying.until<t&&(e.saying=null)):this.byId.set(i.id,new ya(i))}for(let e of r)this.byId.delete(e);this.list=[...this.byId.values()].sort((e,t)=>Number(t.agent.connected)-Number(e.agent.connected)||ba(e.id)-ba(t.id))}},Sa=e=>jr(e.kind),Ca=({agent:{name:e,title:t}})=>t===`language model`?`${e}, a ${t}`:e})),Ta,Ea=n((()=>{na(),wa(),Cn(),Ta=class{bootstrap;looks;terrain;crowd;tick=null;heardAt=performance.now();constructor(e){this.bootstrap=e,this.looks=new ta(e.block_palette),this.terrain=new Sn(e.world_params.height,this.looks),this.crowd=new xa(e.world_params.tick_rate_hz)}}})),Da,Oa,ka=n((()=>{we(),ca(),qe(),Ea(),Hi(),Da=15,Oa=class{tape;ground;present;world=null;society=null;tick=-1;changedAt=0;segment=null;societyKey=``;history;constructor(e,t,n){this.tape=e,this.ground=t,this.present=n,this.history=new Vi(e,e=>n.nameOf(e))}get chronicle(){return this.history.chronicle}get traces(){return this.history.traces}close(){this.world=null,this.society=null,this.segment=null,this.ground.clear(),this.tick=-1,this.history.reset()}restart(e){e&&(this.world=null,this.ground.clear()),this.tick=-1}show(e,t){let n=this.present.bootstrap();return!n||(this.ground.move(e,t),this.completeHistory(e),this.segment&&this.takeRecords(this.segment,this.tick),!this.ground.isLoaded||t===this.tick)?!1:(this.world??=this.newWorld(n),this.showTick(this.world,e,t),!0)}standingOf(e){return this.segment?.records.one(this.offset,`standings`,e)}achievementsOf(e){let t=this.segment?.records.one(this.offset,`achieved`,e),n=this.tape.state?.achievements;if(t===void 0||!n)return null;let r=0,i=e=>Object.fromEntries(e.map(e=>[e,Math.floor(t/2**r++)%2]));return Object.fromEntries(Object.entries(n).map(([e,t])=>[e,i(t)]))}hasStructure(e){return this.segment?.records.one(this.offset,`structures`,e)!==void 0}placeAt(e){return this.segment?{block:this.ground.blockAt(e),...xe(this.segment.records,this.offset,e)}:null}get offset(){return this.tick-(this.segment?.n??0)*250}newWorld(e){let t=new Ta(e);return this.ground.showIn(t.terrain),t}showTick(e,t,n){let r=performance.now(),i=n>this.tick&&n-this.tick<=250&&this.tick>=0,a=t.tickAt(n,i?this.tick:n-1);e.tick=a,e.heardAt=r,e.crowd.take(a.agents,r),this.segment=t,this.takeRecords(t,n),i?(this.traces.take(a),this.chronicle.takeEach(t,this.tick,n,e.looks,e=>this.present.nameOf(e))):(this.history.reset(),this.history.build(t,n,e.looks));let o=Math.max(n-Da,i?this.tick:0);for(let{kind:i,from:a,text:s}of t.tickAt(n,o).happenings??[]){if(i!==`CHAT`||!a||!s)continue;let t=oa(s,e=>this.present.nameOf(e));e.crowd.get(a)?.say(t,r)}this.tick=n,this.changedAt=r}completeHistory(e){this.ground.isLoaded&&this.world&&!this.history.isComplete(e)&&e.has(this.tick)&&this.history.build(e,this.tick,this.world.looks)}takeRecords(e,t){let n=this.present.society(),r=t-e.n*250,i=[e.n,e.document.last,e.records.upTo(r),n?.open_book].join();if(i===this.societyKey&&this.society)return;this.societyKey=i;let a=n??{day_ticks:e.document.day_ticks,open_book:!1};this.society=be(e.records,r,t,a)}}})),Aa,ja,Ma,Na,Pa,Fa,Ia,La,Ra,za,Ba,Va,Ha=n((()=>{jn(),Wi(),Ri(),ka(),ca(),qe(),Aa=[.25,.5,1,2,4,16,64],ja=2,Ma=8,Na=16,Pa=90,Fa=500,Ia=2e3,La=50,Ra=6e3,za=5,Ba=class{changed;present;position=null;playing=!1;speed=1;isOver=!1;otherSide=()=>!0;firstTick=1;until=null;liveTick=0;tape;past;book;trouble=null;ground;frameAt=0;constructor(e,t,n,r=Be){this.changed=e,this.present=t,this.tape=new Li(this,r),this.ground=new On(this.tape,n,this),this.past=new Oa(this.tape,this.ground,t),this.book=new Ui(this.tape,this,()=>t.society()?.open_book??!1,e)}get isPast(){return this.position!==null}get problem(){return this.trouble?.text??null}get loading(){return this.isPast&&this.trouble===null&&(this.past.tick!==this.tick||!this.ground.isLoaded)}get tick(){return this.position===null?this.liveTick:Math.floor(this.position)}get askedTick(){return this.playing?Math.floor(this.tick/La)*La:this.tick}get dayTicks(){return this.tape.state?.day_ticks??Ra}jump(e){this.until=null,this.ground.retry(),this.position=Math.max(Math.min(this.firstTick,this.liveTick),Math.min(e,this.liveTick)),this.trouble=null,this.advance(),e>this.liveTick+1&&this.complain(`Tick ${Va(e)} has not come yet; the last one was ${Va(this.liveTick)}`),e<this.firstTick&&this.firstTick>1&&this.complain(`This film begins with tick ${Va(this.firstTick)}`),this.changed()}playStretch(e,t,n){let r=this.tape.state?.tick_rate_hz??za;this.jump(Math.max(1,e)),this.speed=Aa.find(i=>i>=(t-e)/r/n&&i>=1)??Aa[Aa.length-1],this.until=Math.min(t,this.liveTick-1),this.playing=!0,this.changed()}goLive(){this.isOver?(this.playing=!1,this.jump(this.liveTick)):(this.until=null,this.position=null,this.playing=!1,this.trouble=null,this.past.close(),this.changed())}toggle(){this.position===null?(this.playing=!1,this.jump(this.liveTick)):this.playing=!this.playing,this.changed()}step(e){this.playing=!1,this.jump(this.tick+e)}setSpeed(e){this.speed=e,this.position===null&&this.jump(this.liveTick),this.playing=!0,this.changed()}complain(e){this.trouble={text:e,missing:null}}async toMark(e,t){let n=this.tick,r=({tick:t})=>e>0?t>n:t<n,i=async(n,i)=>{let a=((await this.marks(n,i,1))?.marks??[]).filter(e=>r(e)&&(t===null||e.refs.includes(t)));return e>0?a[0]:a.at(-1)},a=await(e>0?i(n+1,n+Ia):i(n-Ia,n-1))??await i(0,this.liveTick);a&&this.tick===n&&(this.playing=!1,this.jump(a.tick))}async marks(e,t,n){let r=await He(Math.max(0,Math.floor(e)),Math.max(0,Math.floor(t)),n,this.tape.of).catch(()=>null);for(let e of r?.marks??[])e.text=oa(e.text,e=>this.present.nameOf(e));return r}begin(){this.tape.begin(),this.past.restart(this.isPast)}async refresh(e){let t=this.tape.state===null,n=await this.tape.refresh(e);n&&(t&&(this.trouble=null),this.liveTick=Math.max(this.liveTick,n.tick),this.advance(),this.changed())}segmentArrived(e){this.trouble?.missing===e&&(this.trouble=null),this.advance(),this.changed()}segmentFailed(e,t){this.position!==null&&Ii(this.position)===e&&(this.trouble={text:t.message,missing:e},this.playing=!1,this.changed())}groundArrived(){this.trouble?.missing===`ground`&&(this.trouble=null),this.advance(),this.changed()}groundFailed(e){e!==null&&(this.trouble={text:e,missing:`ground`}),this.advance(),this.changed()}frame(e){let t=Math.min(e-this.frameAt,Fa);if(this.frameAt=e,this.position!==null){if(this.playing&&this.hasTick&&this.otherSide()){if(this.position+=t/1e3*(this.tape.state?.tick_rate_hz??za)*this.speed,this.until!==null&&this.position>=this.until){this.jump(this.until),this.playing=!1,this.changed();return}if(this.position>=this.liveTick){this.goLive();return}}e-this.past.changedAt>=Pa&&this.advance()}}get hasTick(){let{position:e}=this;return e===null||!this.ground.isLoaded?!1:this.tape.segment(Ii(e))?.has(this.tick)??!1}follow(e,t){let n=this.tape.state?.playable[0]?.[0]??this.firstTick,r=Math.max(n,Math.min(e,this.liveTick));(this.position===null||r!==this.tick)&&(t&&this.ground.retry(),this.trouble=null,this.position=r,this.advance())}advance(){if(this.position===null)return;let{tick:e}=this,t=Ii(e),n=t+this.segmentsAhead;for(let r=t;r<=n&&r*250<=this.liveTick;r++)this.tape.need(r,r===t?e:r*250);let r=this.tape.segment(t);r?.has(e)&&this.past.show(r,e)&&this.changed()}get segmentsAhead(){return this.playing?this.speed>=Na?Ma:ja:0}},Va=e=>e.toLocaleString(`en-GB`)}));M(),on(),Ha(),z();var Ua=2e3,Wa=2e4,Ga=15e3,Ka=3e3,qa=250,Ja=class extends Ba{leader=null;get askedTick(){return Math.min(this.leader?.askedTick??this.tick,this.liveTick)}jump(e){this.leader&&(this.leader.playing=!1,this.leader.jump(e))}playStretch(e,t,n){this.leader?.playStretch(e,t,n)}},Ya=class{name;first;changed;place=`world`;isMap=!1;papers=new Zr(()=>{});coarseAt=0;tellsCoarse=!1;time;chosen=null;share=50;viewer;why=`Asking for the other run…`;isRefused=!1;comparison=null;notice=``;hasGrown=!1;named=``;lookedAt=0;isLooking=!1;bootstrap=null;isOver=!1;timer=0;path;constructor(e,t,n){this.name=e,this.first=t,this.changed=n,this.path=ee(e),this.time=new Ja(n,{bootstrap:()=>this.bootstrap,society:()=>this.papers.society,nameOf:e=>this.nameOf(e)},()=>t.lookingAt()??{x:0,z:0},`${this.path}/`),this.time.leader=t.time;let r=e=>({value:e});this.viewer=Object.create(t,{time:r(this.time),papers:r(this.papers),isOther:r(!0),see:{get:()=>this.chosen},choose:r(e=>this.choose(e))}),this.begin()}choose(e){this.chosen=e,this.changed()}covers(e){return this.isShown&&e*100>this.share}end(){this.isOver=!0,window.clearTimeout(this.timer)}get world(){return this.time.past.world}get society(){return this.time.past.society}get buildings(){return this.viewer.buildings}get see(){return this.chosen??this.first.see}get attention(){return this.first.attention}get layers(){return this.first.layers}get deed(){return this.first.deed}get traces(){return this.time.past.traces}nameOf(e){return this.world?.crowd.get(e)?.agent.name??this.first.nameOf(e)}get isShared(){let e=this.comparison?.split.tick??null;return e!==null&&this.first.time.tick<=e}get isShown(){return this.world!==null&&!(this.isShared&&this.first.time.tick<this.firstTick)}get keepsUp(){return!this.bootstrap||!this.isShown||this.time.hasTick||this.time.problem!==null}get firstTick(){return this.time.tape.state?.playable[0]?.[0]??1}frame(e){this.bootstrap&&this.time.tape.state&&(this.look(e),this.time.refresh(e),this.time.follow(this.first.time.tick,!this.first.time.playing),this.time.frame(e))}async begin(){let e=await rn(this.path);if(this.isOver)return;if(!(`state`in e&&e.state===`ready`)){this.why=e.why||`The other run is being made…`,this.isRefused=!(`state`in e)||e.state===`refused`,this.changed(),this.isRefused||(this.timer=window.setTimeout(()=>void this.begin(),Ua));return}this.named=e.world,this.notice=e.notice??``;let t=await Ur(`${this.path}/bootstrap`);this.papers.society=await Ur(`${this.path}/society`),this.papers.buildings=await Ur(`${this.path}/buildings`)??[],!t||this.isOver?this.timer=window.setTimeout(()=>void this.begin(),Ua):(this.why=``,this.time.begin(),this.time.isOver=!0,this.time.liveTick=t.tick,this.bootstrap=t,this.time.tape.askAgain(),await this.time.refresh(performance.now()),this.changed(),await this.compare())}async look(e){let t=this.first.time.tick>this.time.liveTick-qa;if(this.isLooking||e-this.lookedAt<(t?Ka:Ga))return;this.isLooking=!0,this.lookedAt=e;let n=await rn(this.path);if(this.isLooking=!1,this.isOver)return;let r=`state`in n?n.notice||(n.state===`ready`?``:n.why):n.why;r!==this.notice&&this.changed(),this.notice=r,`state`in n&&n.state===`ready`&&(n.world===this.named?n.last_tick>this.time.liveTick&&(this.hasGrown=!0,this.time.tape.askAgain(),this.papers.society=await Ur(`${this.path}/society`)??this.papers.society,this.papers.buildings=await Ur(`${this.path}/buildings`)??this.papers.buildings):this.beginAnew())}beginAnew(){window.clearTimeout(this.timer),this.bootstrap=null,this.comparison=null,this.hasGrown=!1,this.chosen=null,this.time.past.close(),this.begin()}async compare(){let e=await rn(`v1/comparison?here=${j()}&there=${this.name}`);if(this.isOver)return;`split`in e?this.comparison=e:this.why=e.why,this.changed();let t=`split`in e&&e.whole;this.timer=window.setTimeout(()=>void this.compare(),t?Wa:Ua)}};M();var Xa=.006,Za=.9,Qa=1.6,$a=6,eo={KeyW:[0,1,0],ArrowUp:[0,1,0],KeyS:[0,-1,0],ArrowDown:[0,-1,0],KeyA:[-1,0,0],ArrowLeft:[-1,0,0],KeyD:[1,0,0],ArrowRight:[1,0,0],KeyQ:[0,0,-1],KeyE:[0,0,1]},to=class{surface;camera;viewer;acts;down=new Set;up=new Set;fingers=new Map;travelled=0;constructor(e,t,n,r){this.surface=e,this.camera=t,this.viewer=n,this.acts=r,e.addEventListener(`pointerdown`,e=>this.press(e)),e.addEventListener(`pointermove`,e=>this.drag(e)),e.addEventListener(`pointerup`,e=>this.release(e)),e.addEventListener(`pointercancel`,e=>this.fingers.delete(e.pointerId)),e.addEventListener(`contextmenu`,e=>e.preventDefault()),e.addEventListener(`dblclick`,e=>this.goThere(e)),e.addEventListener(`wheel`,e=>this.wheel(e),{passive:!1}),addEventListener(`keydown`,e=>this.key(e)),addEventListener(`keyup`,e=>this.up.add(e.code)),addEventListener(`blur`,()=>this.down.clear())}update(e){let t=Math.min(e,100)/1e3;for(let e of this.down){let[n,r,i]=eo[e];(n||r)&&this.pan(n*Za*t,r*Za*t),i&&this.camera.turn(i*Qa*t,0)}for(let e of this.up)this.down.delete(e);this.up.clear()}pan(e,t){this.viewer.letGo();let{distance:n}=this.camera.wished;this.viewer.isMap?this.camera.slide(e*n,-t*n):this.camera.pan(e,t)}zoom(e){this.camera.zoom(e,this.viewer.isMap)}goThere(e){if(!this.viewer.isMap)return;let{x:t,z:n}=this.acts.cellAt(e.offsetX,e.offsetY);this.viewer.letGo(),this.camera.lookAt(t,this.camera.wished.y,n),this.camera.cut(),this.viewer.showMap(!1)}press(e){this.surface.setPointerCapture(e.pointerId),this.fingers.size||(this.travelled=0),this.fingers.set(e.pointerId,{x:e.clientX,y:e.clientY})}drag(e){let t=this.fingers.get(e.pointerId);if(!t)return;let n={x:e.clientX,y:e.clientY},r=n.x-t.x,i=n.y-t.y;if(this.travelled+=Math.abs(r)+Math.abs(i),!(this.travelled<$a)){if(this.fingers.size===2){let a=[...this.fingers].find(([t])=>t!==e.pointerId)?.[1]??n,o=e=>Math.max(10,Math.hypot(e.x-a.x,e.y-a.y));this.zoom(o(t)/o(n)),this.slide(r/2,i/2)}else e.shiftKey||e.buttons&6||this.viewer.isMap?this.slide(r,i):this.camera.turn(-r*Xa,i*Xa);this.fingers.set(e.pointerId,n)}}slide(e,t){let n=.77/this.surface.clientHeight;this.pan(-e*n,t*n)}release(e){if(this.fingers.delete(e.pointerId),this.travelled>=$a||e.button!==0)return;let t=this.surface.getBoundingClientRect();this.acts.choose(e.clientX-t.left,e.clientY-t.top)}wheel(e){e.preventDefault();let t=this.camera.wished.distance;if(this.zoom(Math.exp(Math.max(-80,Math.min(80,e.deltaY))*.0025)),!this.viewer.isMap||this.viewer.attention.following)return;let{x:n,z:r}=this.acts.cellAt(e.offsetX,e.offsetY),i=1-this.camera.wished.distance/t;this.camera.slide((n-this.camera.wished.x)*i,(r-this.camera.wished.z)*i)}key(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key===`Escape`){if(this.acts.closeTop())return;this.viewer.see===null&&this.viewer.time.isPast?this.viewer.time.goLive():this.viewer.choose(null);return}if(e.target instanceof Element&&e.target.matches(`input, textarea, select`))return;let t=d[Number(e.key)-1];t?this.viewer.go(t):e.key===`?`?this.acts.toggleHelp():this.viewer.place===`world`&&this.inWorld(e)}hold(e){this.down.add(e),this.up.delete(e)}inWorld(e){let t={"+":()=>this.zoom(.8),"=":()=>this.zoom(.8),"-":()=>this.zoom(1.25),m:()=>this.viewer.showMap(!this.viewer.isMap),l:()=>this.acts.toggleLayers(),t:()=>this.acts.toggleTour(),c:()=>this.acts.toggleCompare(),g:()=>this.acts.toggleGoingOn(),n:()=>this.viewer.watchNext(1),p:()=>this.viewer.watchNext(-1),f:()=>this.viewer.watch(this.viewer.attention.watched)};if(e.code in eo)this.hold(e.code);else if(t[e.key.toLowerCase()])t[e.key.toLowerCase()]();else return;e.preventDefault()}},no=1e3,ro=1001,io=1002,ao=1003,oo=1004,so=1005,co=1006,lo=1007,uo=1008,fo=1009,po=1010,mo=1011,ho=1012,go=1013,_o=1014,vo=1015,yo=1016,bo=1017,xo=1018,So=1020,Co=35902,wo=35899,To=1021,Eo=1022,Do=1023,Oo=1026,ko=1027,Ao=1028,jo=1029,Mo=1030,No=1031,Po=1033,Fo=33776,Io=33777,Lo=33778,Ro=33779,zo=35840,Bo=35841,Vo=35842,Ho=35843,Uo=36196,Wo=37492,Go=37496,Ko=37488,qo=37489,Jo=37490,Yo=37491,Xo=37808,Zo=37809,Qo=37810,$o=37811,es=37812,ts=37813,ns=37814,rs=37815,is=37816,as=37817,os=37818,ss=37819,cs=37820,ls=37821,us=36492,ds=36494,fs=36495,ps=36283,ms=36284,hs=36285,gs=36286,_s=2300,vs=2301,ys=2302,bs=2303,xs=2400,Ss=2401,Cs=2402,ws=3200,Ts=`srgb`,Es=`srgb-linear`,Ds=`linear`,Os=`srgb`,ks=7680,As=35044,js=35048,Ms=2e3;function Ns(e){for(let t=e.length-1;t>=0;--t)if(e[t]>=65535)return!0;return!1}function Ps(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function Fs(e){return document.createElementNS(`http://www.w3.org/1999/xhtml`,e)}function Is(){let e=Fs(`canvas`);return e.style.display=`block`,e}var Ls={};function Rs(...e){let t=`THREE.`+e.shift();console.log(t,...e)}function zs(e){let t=e[0];if(typeof t==`string`&&t.startsWith(`TSL:`)){let t=e[1];t&&t.isStackTrace?e[0]+=` `+t.getLocation():e[1]=`Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.`}return e}function B(...e){e=zs(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.warn(n.getError(t)):console.warn(t,...e)}}function V(...e){e=zs(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.error(n.getError(t)):console.error(t,...e)}}function Bs(...e){let t=e.join(` `);t in Ls||(Ls[t]=!0,B(...e))}function Vs(e,t,n){return new Promise(function(r,i){function a(){switch(e.clientWaitSync(t,e.SYNC_FLUSH_COMMANDS_BIT,0)){case e.WAIT_FAILED:i();break;case e.TIMEOUT_EXPIRED:setTimeout(a,n);break;default:r()}}setTimeout(a,n)})}var Hs={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3},Us=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n!==void 0&&n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let r=n[e];if(r!==void 0){let e=r.indexOf(t);e!==-1&&r.splice(e,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let t=n.slice(0);for(let n=0,r=t.length;n<r;n++)t[n].call(this,e);e.target=null}}},Ws=`00.01.02.03.04.05.06.07.08.09.0a.0b.0c.0d.0e.0f.10.11.12.13.14.15.16.17.18.19.1a.1b.1c.1d.1e.1f.20.21.22.23.24.25.26.27.28.29.2a.2b.2c.2d.2e.2f.30.31.32.33.34.35.36.37.38.39.3a.3b.3c.3d.3e.3f.40.41.42.43.44.45.46.47.48.49.4a.4b.4c.4d.4e.4f.50.51.52.53.54.55.56.57.58.59.5a.5b.5c.5d.5e.5f.60.61.62.63.64.65.66.67.68.69.6a.6b.6c.6d.6e.6f.70.71.72.73.74.75.76.77.78.79.7a.7b.7c.7d.7e.7f.80.81.82.83.84.85.86.87.88.89.8a.8b.8c.8d.8e.8f.90.91.92.93.94.95.96.97.98.99.9a.9b.9c.9d.9e.9f.a0.a1.a2.a3.a4.a5.a6.a7.a8.a9.aa.ab.ac.ad.ae.af.b0.b1.b2.b3.b4.b5.b6.b7.b8.b9.ba.bb.bc.bd.be.bf.c0.c1.c2.c3.c4.c5.c6.c7.c8.c9.ca.cb.cc.cd.ce.cf.d0.d1.d2.d3.d4.d5.d6.d7.d8.d9.da.db.dc.dd.de.df.e0.e1.e2.e3.e4.e5.e6.e7.e8.e9.ea.eb.ec.ed.ee.ef.f0.f1.f2.f3.f4.f5.f6.f7.f8.f9.fa.fb.fc.fd.fe.ff`.split(`.`),Gs=Math.PI/180,Ks=180/Math.PI;function qs(){let e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0,r=Math.random()*4294967295|0;return(Ws[e&255]+Ws[e>>8&255]+Ws[e>>16&255]+Ws[e>>24&255]+`-`+Ws[t&255]+Ws[t>>8&255]+`-`+Ws[t>>16&15|64]+Ws[t>>24&255]+`-`+Ws[n&63|128]+Ws[n>>8&255]+`-`+Ws[n>>16&255]+Ws[n>>24&255]+Ws[r&255]+Ws[r>>8&255]+Ws[r>>16&255]+Ws[r>>24&255]).toLowerCase()}function H(e,t,n){return Math.max(t,Math.min(n,e))}function Js(e,t){return(e%t+t)%t}function Ys(e,t,n){return(1-n)*e+n*t}function Xs(e){return 2**Math.floor(Math.log(e)/Math.LN2)}function Zs(e){switch(e.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Qs(e,t){if(t.constructor===Float32Array)return e;let n=Zs(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.max(e/n,-1)}function $s(e,t){if(t.constructor===Float32Array)return e;let n=Zs(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.round(e*n)}var ec=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw Error(`THREE.Vector2: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw Error(`THREE.Vector2: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6],this.y=r[1]*t+r[4]*n+r[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=H(this.x,e.x,t.x),this.y=H(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=H(this.x,e,t),this.y=H(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(H(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(H(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),r=Math.sin(t),i=this.x-e.x,a=this.y-e.y;return this.x=i*n-a*r+e.x,this.y=i*r+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},tc=class{constructor(e=0,t=0,n=0,r=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=r}static slerpFlat(e,t,n,r,i,a,o){let s=n[r+0],c=n[r+1],l=n[r+2],u=n[r+3],d=i[a+0],f=i[a+1],p=i[a+2],m=i[a+3];if(u!==m||s!==d||c!==f||l!==p){let e=s*d+c*f+l*p+u*m;e<0&&(d=-d,f=-f,p=-p,m=-m,e=-e);let t=1-o;if(e<.9995){let n=Math.acos(e),r=Math.sin(n);t=Math.sin(t*n)/r,o=Math.sin(o*n)/r,s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o}else{s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o;let e=1/Math.sqrt(s*s+c*c+l*l+u*u);s*=e,c*=e,l*=e,u*=e}}e[t]=s,e[t+1]=c,e[t+2]=l,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,r,i,a){let o=n[r],s=n[r+1],c=n[r+2],l=n[r+3],u=i[a],d=i[a+1],f=i[a+2],p=i[a+3];return e[t]=o*p+l*u+s*f-c*d,e[t+1]=s*p+l*d+c*u-o*f,e[t+2]=c*p+l*f+o*d-s*u,e[t+3]=l*p-o*u-s*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,r){return this._x=e,this._y=t,this._z=n,this._w=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,r=e._y,i=e._z,a=e._order,o=Math.cos,s=Math.sin,c=o(n/2),l=o(r/2),u=o(i/2),d=s(n/2),f=s(r/2),p=s(i/2);switch(a){case`XYZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`YXZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`ZXY`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`ZYX`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`YZX`:this._x=d*l*u+c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u-d*f*p;break;case`XZY`:this._x=d*l*u-c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u+d*f*p;break;default:B(`Quaternion: .setFromEuler() encountered an unknown order: `+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,r=Math.sin(n);return this._x=e.x*r,this._y=e.y*r,this._z=e.z*r,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],r=t[4],i=t[8],a=t[1],o=t[5],s=t[9],c=t[2],l=t[6],u=t[10],d=n+o+u;if(d>0){let e=.5/Math.sqrt(d+1);this._w=.25/e,this._x=(l-s)*e,this._y=(i-c)*e,this._z=(a-r)*e}else if(n>o&&n>u){let e=2*Math.sqrt(1+n-o-u);this._w=(l-s)/e,this._x=.25*e,this._y=(r+a)/e,this._z=(i+c)/e}else if(o>u){let e=2*Math.sqrt(1+o-n-u);this._w=(i-c)/e,this._x=(r+a)/e,this._y=.25*e,this._z=(s+l)/e}else{let e=2*Math.sqrt(1+u-n-o);this._w=(a-r)/e,this._x=(i+c)/e,this._y=(s+l)/e,this._z=.25*e}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(H(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let r=Math.min(1,t/n);return this.slerp(e,r),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x*=e,this._y*=e,this._z*=e,this._w*=e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=t._x,s=t._y,c=t._z,l=t._w;return this._x=n*l+a*o+r*c-i*s,this._y=r*l+a*s+i*o-n*c,this._z=i*l+a*c+n*s-r*o,this._w=a*l-n*o-r*s-i*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,r=-r,i=-i,a=-a,o=-o);let s=1-t;if(o<.9995){let e=Math.acos(o),c=Math.sin(e);s=Math.sin(s*e)/c,t=Math.sin(t*e)/c,this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this._onChangeCallback()}else this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),r=Math.sqrt(1-n),i=Math.sqrt(n);return this.set(r*Math.sin(e),r*Math.cos(e),i*Math.sin(t),i*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},U=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw Error(`THREE.Vector3: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw Error(`THREE.Vector3: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(rc.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(rc.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6]*r,this.y=i[1]*t+i[4]*n+i[7]*r,this.z=i[2]*t+i[5]*n+i[8]*r,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=e.elements,a=1/(i[3]*t+i[7]*n+i[11]*r+i[15]);return this.x=(i[0]*t+i[4]*n+i[8]*r+i[12])*a,this.y=(i[1]*t+i[5]*n+i[9]*r+i[13])*a,this.z=(i[2]*t+i[6]*n+i[10]*r+i[14])*a,this}applyQuaternion(e){let t=this.x,n=this.y,r=this.z,i=e.x,a=e.y,o=e.z,s=e.w,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return this.x=t+s*c+a*u-o*l,this.y=n+s*l+o*c-i*u,this.z=r+s*u+i*l-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[4]*n+i[8]*r,this.y=i[1]*t+i[5]*n+i[9]*r,this.z=i[2]*t+i[6]*n+i[10]*r,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=H(this.x,e.x,t.x),this.y=H(this.y,e.y,t.y),this.z=H(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=H(this.x,e,t),this.y=H(this.y,e,t),this.z=H(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(H(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,r=e.y,i=e.z,a=t.x,o=t.y,s=t.z;return this.x=r*s-i*o,this.y=i*a-n*s,this.z=n*o-r*a,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return nc.copy(this).projectOnVector(e),this.sub(nc)}reflect(e){return this.sub(nc.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(H(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,r=this.z-e.z;return t*t+n*n+r*r}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let r=Math.sin(t)*e;return this.x=r*Math.sin(n),this.y=Math.cos(t)*e,this.z=r*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),r=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=r,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},nc=new U,rc=new tc,W=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,r,i,a,o,s,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c)}set(e,t,n,r,i,a,o,s,c){let l=this.elements;return l[0]=e,l[1]=r,l[2]=o,l[3]=t,l[4]=i,l[5]=s,l[6]=n,l[7]=a,l[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[3],s=n[6],c=n[1],l=n[4],u=n[7],d=n[2],f=n[5],p=n[8],m=r[0],h=r[3],g=r[6],_=r[1],v=r[4],y=r[7],b=r[2],x=r[5],S=r[8];return i[0]=a*m+o*_+s*b,i[3]=a*h+o*v+s*x,i[6]=a*g+o*y+s*S,i[1]=c*m+l*_+u*b,i[4]=c*h+l*v+u*x,i[7]=c*g+l*y+u*S,i[2]=d*m+f*_+p*b,i[5]=d*h+f*v+p*x,i[8]=d*g+f*y+p*S,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8];return t*a*l-t*o*c-n*i*l+n*o*s+r*i*c-r*a*s}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=l*a-o*c,d=o*s-l*i,f=c*i-a*s,p=t*u+n*d+r*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let m=1/p;return e[0]=u*m,e[1]=(r*c-l*n)*m,e[2]=(o*n-r*a)*m,e[3]=d*m,e[4]=(l*t-r*s)*m,e[5]=(r*i-o*t)*m,e[6]=f*m,e[7]=(n*s-c*t)*m,e[8]=(a*t-n*i)*m,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,r,i,a,o){let s=Math.cos(i),c=Math.sin(i);return this.set(n*s,n*c,-n*(s*a+c*o)+a+e,-r*c,r*s,-r*(-c*a+s*o)+o+t,0,0,1),this}scale(e,t){return Bs(`Matrix3: .scale() is deprecated. Use .makeScale() instead.`),this.premultiply(ic.makeScale(e,t)),this}rotate(e){return Bs(`Matrix3: .rotate() is deprecated. Use .makeRotation() instead.`),this.premultiply(ic.makeRotation(-e)),this}translate(e,t){return Bs(`Matrix3: .translate() is deprecated. Use .makeTranslation() instead.`),this.premultiply(ic.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<9;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},ic=new W,ac=new W().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),oc=new W().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function sc(){let e={enabled:!0,workingColorSpace:Es,spaces:{},convert:function(e,t,n){return this.enabled===!1||t===n||!t||!n||(this.spaces[t].transfer===`srgb`&&(e.r=cc(e.r),e.g=cc(e.g),e.b=cc(e.b)),this.spaces[t].primaries!==this.spaces[n].primaries&&(e.applyMatrix3(this.spaces[t].toXYZ),e.applyMatrix3(this.spaces[n].fromXYZ)),this.spaces[n].transfer===`srgb`&&(e.r=lc(e.r),e.g=lc(e.g),e.b=lc(e.b))),e},workingToColorSpace:function(e,t){return this.convert(e,this.workingColorSpace,t)},colorSpaceToWorking:function(e,t){return this.convert(e,t,this.workingColorSpace)},getPrimaries:function(e){return this.spaces[e].primaries},getTransfer:function(e){return e===``?Ds:this.spaces[e].transfer},getToneMappingMode:function(e){return this.spaces[e].outputColorSpaceConfig.toneMappingMode||`standard`},getLuminanceCoefficients:function(e,t=this.workingColorSpace){return e.fromArray(this.spaces[t].luminanceCoefficients)},define:function(e){Object.assign(this.spaces,e)},_getMatrix:function(e,t,n){return e.copy(this.spaces[n].fromXYZ).multiply(this.spaces[t].toXYZ)},_getDrawingBufferColorSpace:function(e){return this.spaces[e].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(e=this.workingColorSpace){return this.spaces[e].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],n=[.2126,.7152,.0722],r=[.3127,.329];return e.define({[Es]:{primaries:t,whitePoint:r,transfer:Ds,toXYZ:ac,fromXYZ:oc,luminanceCoefficients:n,workingColorSpaceConfig:{unpackColorSpace:Ts},outputColorSpaceConfig:{drawingBufferColorSpace:Ts}},[Ts]:{primaries:t,whitePoint:r,transfer:Os,toXYZ:ac,fromXYZ:oc,luminanceCoefficients:n,outputColorSpaceConfig:{drawingBufferColorSpace:Ts}}}),e}var G=sc();function cc(e){return e<.04045?e*.0773993808:(e*.9478672986+.0521327014)**2.4}function lc(e){return e<.0031308?e*12.92:1.055*e**.41666-.055}var uc,dc=class{static getDataURL(e,t=`image/png`){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>`u`)return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{uc===void 0&&(uc=Fs(`canvas`)),uc.width=e.width,uc.height=e.height;let t=uc.getContext(`2d`);e instanceof ImageData?t.putImageData(e,0,0):t.drawImage(e,0,0,e.width,e.height),n=uc}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap){let t=Fs(`canvas`);t.width=e.width,t.height=e.height;let n=t.getContext(`2d`);n.drawImage(e,0,0,e.width,e.height);let r=n.getImageData(0,0,e.width,e.height),i=r.data;for(let e=0;e<i.length;e++)i[e]=cc(i[e]/255)*255;return n.putImageData(r,0,0),t}if(e.data){let t=e.data.slice(0);for(let e=0;e<t.length;e++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[e]=Math.floor(cc(t[e]/255)*255):t[e]=cc(t[e]);return{data:t,width:e.width,height:e.height}}return B(`ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied.`),e}},fc=0,pc=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:fc++}),this.uuid=qs(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<`u`&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<`u`&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t===null?e.set(0,0,0):e.set(t.width||0,t.height||0,t.depth||0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:``},r=this.data;if(r!==null){let e;if(Array.isArray(r)){e=[];for(let t=0,n=r.length;t<n;t++)r[t].isDataTexture?e.push(mc(r[t].image)):e.push(mc(r[t]))}else e=mc(r);n.url=e}return t||(e.images[this.uuid]=n),n}};function mc(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap?dc.getDataURL(e):e.data?{data:Array.from(e.data),width:e.width,height:e.height,type:e.data.constructor.name}:(B(`Texture: Unable to serialize Texture.`),{})}var hc=0,gc=new U,_c=class e extends Us{constructor(t=e.DEFAULT_IMAGE,n=e.DEFAULT_MAPPING,r=ro,i=ro,a=co,o=uo,s=Do,c=fo,l=e.DEFAULT_ANISOTROPY,u=``){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:hc++}),this.uuid=qs(),this.name=``,this.source=new pc(t),this.mipmaps=[],this.mapping=n,this.channel=0,this.wrapS=r,this.wrapT=i,this.magFilter=a,this.minFilter=o,this.anisotropy=l,this.format=s,this.internalFormat=null,this.type=c,this.offset=new ec(0,0),this.repeat=new ec(1,1),this.center=new ec(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new W,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(gc).x}get height(){return this.source.getSize(gc).y}get depth(){return this.source.getSize(gc).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){B(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?B(`Texture.setValues(): property '${t}' does not exist.`):r&&n&&r.isVector2&&n.isVector2||r&&n&&r.isVector3&&n.isVector3||r&&n&&r.isMatrix3&&n.isMatrix3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:`Texture`,generator:`Texture.toJSON`},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:`dispose`})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case no:e.x-=Math.floor(e.x);break;case ro:e.x=e.x<0?0:1;break;case io:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x-=Math.floor(e.x)}if(e.y<0||e.y>1)switch(this.wrapT){case no:e.y-=Math.floor(e.y);break;case ro:e.y=e.y<0?0:1;break;case io:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y-=Math.floor(e.y)}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};_c.DEFAULT_IMAGE=null,_c.DEFAULT_MAPPING=300,_c.DEFAULT_ANISOTROPY=1;var vc=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,r=1){this.x=e,this.y=t,this.z=n,this.w=r}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,r){return this.x=e,this.y=t,this.z=n,this.w=r,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw Error(`THREE.Vector4: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw Error(`THREE.Vector4: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w===void 0?1:e.w,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*r+a[12]*i,this.y=a[1]*t+a[5]*n+a[9]*r+a[13]*i,this.z=a[2]*t+a[6]*n+a[10]*r+a[14]*i,this.w=a[3]*t+a[7]*n+a[11]*r+a[15]*i,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,r,i,a=.01,o=.1,s=e.elements,c=s[0],l=s[4],u=s[8],d=s[1],f=s[5],p=s[9],m=s[2],h=s[6],g=s[10];if(Math.abs(l-d)<a&&Math.abs(u-m)<a&&Math.abs(p-h)<a){if(Math.abs(l+d)<o&&Math.abs(u+m)<o&&Math.abs(p+h)<o&&Math.abs(c+f+g-3)<o)return this.set(1,0,0,0),this;t=Math.PI;let e=(c+1)/2,s=(f+1)/2,_=(g+1)/2,v=(l+d)/4,y=(u+m)/4,b=(p+h)/4;return e>s&&e>_?e<a?(n=0,r=.707106781,i=.707106781):(n=Math.sqrt(e),r=v/n,i=y/n):s>_?s<a?(n=.707106781,r=0,i=.707106781):(r=Math.sqrt(s),n=v/r,i=b/r):_<a?(n=.707106781,r=.707106781,i=0):(i=Math.sqrt(_),n=y/i,r=b/i),this.set(n,r,i,t),this}let _=Math.sqrt((h-p)*(h-p)+(u-m)*(u-m)+(d-l)*(d-l));return Math.abs(_)<.001&&(_=1),this.x=(h-p)/_,this.y=(u-m)/_,this.z=(d-l)/_,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=H(this.x,e.x,t.x),this.y=H(this.y,e.y,t.y),this.z=H(this.z,e.z,t.z),this.w=H(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=H(this.x,e,t),this.y=H(this.y,e,t),this.z=H(this.z,e,t),this.w=H(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(H(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},yc=class extends Us{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:co,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new vc(0,0,e,t),this.scissorTest=!1,this.viewport=new vc(0,0,e,t),this.textures=[];let r=n.count;for(let i=0;i<r;i++)this.textures[i]=new _c({width:e,height:t,depth:n.depth}),this.textures[i].isRenderTargetTexture=!0,this.textures[i].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:co,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let e=0;e<this.textures.length;e++)this.textures[e].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let r=0,i=this.textures.length;r<i;r++)this.textures[r].image.width=e,this.textures[r].image.height=t,this.textures[r].image.depth=n,this.textures[r].isData3DTexture!==!0&&(this.textures[r].isArrayTexture=this.textures[r].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let n=Object.assign({},e.textures[t].image);this.textures[t].source=new pc(n)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null){if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture}else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:`dispose`})}},bc=class extends yc{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},xc=class extends _c{constructor(e=null,t=1,n=1,r=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=ao,this.minFilter=ao,this.wrapR=ro,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}},Sc=class extends _c{constructor(e=null,t=1,n=1,r=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=ao,this.minFilter=ao,this.wrapR=ro,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}},Cc=class e{static{this.prototype.isMatrix4=!0}constructor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h)}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=r,g[1]=i,g[5]=a,g[9]=o,g[13]=s,g[2]=c,g[6]=l,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=m,g[15]=h,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new e().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,r=1/wc.setFromMatrixColumn(e,0).length(),i=1/wc.setFromMatrixColumn(e,1).length(),a=1/wc.setFromMatrixColumn(e,2).length();return t[0]=n[0]*r,t[1]=n[1]*r,t[2]=n[2]*r,t[3]=0,t[4]=n[4]*i,t[5]=n[5]*i,t[6]=n[6]*i,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,r=e.y,i=e.z,a=Math.cos(n),o=Math.sin(n),s=Math.cos(r),c=Math.sin(r),l=Math.cos(i),u=Math.sin(i);if(e.order===`XYZ`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=-s*u,t[8]=c,t[1]=n+r*c,t[5]=e-i*c,t[9]=-o*s,t[2]=i-e*c,t[6]=r+n*c,t[10]=a*s}else if(e.order===`YXZ`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e+i*o,t[4]=r*o-n,t[8]=a*c,t[1]=a*u,t[5]=a*l,t[9]=-o,t[2]=n*o-r,t[6]=i+e*o,t[10]=a*s}else if(e.order===`ZXY`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e-i*o,t[4]=-a*u,t[8]=r+n*o,t[1]=n+r*o,t[5]=a*l,t[9]=i-e*o,t[2]=-a*c,t[6]=o,t[10]=a*s}else if(e.order===`ZYX`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=r*c-n,t[8]=e*c+i,t[1]=s*u,t[5]=i*c+e,t[9]=n*c-r,t[2]=-c,t[6]=o*s,t[10]=a*s}else if(e.order===`YZX`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=i-e*u,t[8]=r*u+n,t[1]=u,t[5]=a*l,t[9]=-o*l,t[2]=-c*l,t[6]=n*u+r,t[10]=e-i*u}else if(e.order===`XZY`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=-u,t[8]=c*l,t[1]=e*u+i,t[5]=a*l,t[9]=n*u-r,t[2]=r*u-n,t[6]=o*l,t[10]=i*u+e}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(Ec,e,Dc)}lookAt(e,t,n){let r=this.elements;return Ac.subVectors(e,t),Ac.lengthSq()===0&&(Ac.z=1),Ac.normalize(),Oc.crossVectors(n,Ac),Oc.lengthSq()===0&&(Math.abs(n.z)===1?Ac.x+=1e-4:Ac.z+=1e-4,Ac.normalize(),Oc.crossVectors(n,Ac)),Oc.normalize(),kc.crossVectors(Ac,Oc),r[0]=Oc.x,r[4]=kc.x,r[8]=Ac.x,r[1]=Oc.y,r[5]=kc.y,r[9]=Ac.y,r[2]=Oc.z,r[6]=kc.z,r[10]=Ac.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[4],s=n[8],c=n[12],l=n[1],u=n[5],d=n[9],f=n[13],p=n[2],m=n[6],h=n[10],g=n[14],_=n[3],v=n[7],y=n[11],b=n[15],x=r[0],S=r[4],C=r[8],w=r[12],T=r[1],E=r[5],D=r[9],O=r[13],k=r[2],A=r[6],j=r[10],ee=r[14],M=r[3],te=r[7],ne=r[11],re=r[15];return i[0]=a*x+o*T+s*k+c*M,i[4]=a*S+o*E+s*A+c*te,i[8]=a*C+o*D+s*j+c*ne,i[12]=a*w+o*O+s*ee+c*re,i[1]=l*x+u*T+d*k+f*M,i[5]=l*S+u*E+d*A+f*te,i[9]=l*C+u*D+d*j+f*ne,i[13]=l*w+u*O+d*ee+f*re,i[2]=p*x+m*T+h*k+g*M,i[6]=p*S+m*E+h*A+g*te,i[10]=p*C+m*D+h*j+g*ne,i[14]=p*w+m*O+h*ee+g*re,i[3]=_*x+v*T+y*k+b*M,i[7]=_*S+v*E+y*A+b*te,i[11]=_*C+v*D+y*j+b*ne,i[15]=_*w+v*O+y*ee+b*re,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[12],a=e[1],o=e[5],s=e[9],c=e[13],l=e[2],u=e[6],d=e[10],f=e[14],p=e[3],m=e[7],h=e[11],g=e[15],_=s*f-c*d,v=o*f-c*u,y=o*d-s*u,b=a*f-c*l,x=a*d-s*l,S=a*u-o*l;return t*(m*_-h*v+g*y)-n*(p*_-h*b+g*x)+r*(p*v-m*b+g*S)-i*(p*y-m*x+h*S)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[1],a=e[5],o=e[9],s=e[2],c=e[6],l=e[10];return t*(a*l-o*c)-n*(i*l-o*s)+r*(i*c-a*s)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let r=this.elements;return e.isVector3?(r[12]=e.x,r[13]=e.y,r[14]=e.z):(r[12]=e,r[13]=t,r[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=t*c-i*a,b=n*s-r*o,x=n*c-i*o,S=r*c-i*s,C=l*m-u*p,w=l*h-d*p,T=l*g-f*p,E=u*h-d*m,D=u*g-f*m,O=d*g-f*h,k=_*O-v*D+y*E+b*T-x*w+S*C;if(k===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let A=1/k;return e[0]=(o*O-s*D+c*E)*A,e[1]=(r*D-n*O-i*E)*A,e[2]=(m*S-h*x+g*b)*A,e[3]=(d*x-u*S-f*b)*A,e[4]=(s*T-a*O-c*w)*A,e[5]=(t*O-r*T+i*w)*A,e[6]=(h*y-p*S-g*v)*A,e[7]=(l*S-d*y+f*v)*A,e[8]=(a*D-o*T+c*C)*A,e[9]=(n*T-t*D-i*C)*A,e[10]=(p*x-m*y+g*_)*A,e[11]=(u*y-l*x-f*_)*A,e[12]=(o*w-a*E-s*C)*A,e[13]=(t*E-n*w+r*C)*A,e[14]=(m*v-p*b-h*_)*A,e[15]=(l*b-u*v+d*_)*A,this}scale(e){let t=this.elements,n=e.x,r=e.y,i=e.z;return t[0]*=n,t[4]*=r,t[8]*=i,t[1]*=n,t[5]*=r,t[9]*=i,t[2]*=n,t[6]*=r,t[10]*=i,t[3]*=n,t[7]*=r,t[11]*=i,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],r=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,r))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),r=Math.sin(t),i=1-n,a=e.x,o=e.y,s=e.z,c=i*a,l=i*o;return this.set(c*a+n,c*o-r*s,c*s+r*o,0,c*o+r*s,l*o+n,l*s-r*a,0,c*s-r*o,l*s+r*a,i*s*s+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,r,i,a){return this.set(1,n,i,0,e,1,a,0,t,r,1,0,0,0,0,1),this}compose(e,t,n){let r=this.elements,i=t._x,a=t._y,o=t._z,s=t._w,c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,_=s*c,v=s*l,y=s*u,b=n.x,x=n.y,S=n.z;return r[0]=(1-(m+g))*b,r[1]=(f+y)*b,r[2]=(p-v)*b,r[3]=0,r[4]=(f-y)*x,r[5]=(1-(d+g))*x,r[6]=(h+_)*x,r[7]=0,r[8]=(p+v)*S,r[9]=(h-_)*S,r[10]=(1-(d+m))*S,r[11]=0,r[12]=e.x,r[13]=e.y,r[14]=e.z,r[15]=1,this}decompose(e,t,n){let r=this.elements;e.x=r[12],e.y=r[13],e.z=r[14];let i=this.determinantAffine();if(i===0)return n.set(1,1,1),t.identity(),this;let a=wc.set(r[0],r[1],r[2]).length(),o=wc.set(r[4],r[5],r[6]).length(),s=wc.set(r[8],r[9],r[10]).length();i<0&&(a=-a),Tc.copy(this);let c=1/a,l=1/o,u=1/s;return Tc.elements[0]*=c,Tc.elements[1]*=c,Tc.elements[2]*=c,Tc.elements[4]*=l,Tc.elements[5]*=l,Tc.elements[6]*=l,Tc.elements[8]*=u,Tc.elements[9]*=u,Tc.elements[10]*=u,t.setFromRotationMatrix(Tc),n.x=a,n.y=o,n.z=s,this}makePerspective(e,t,n,r,i,a,o=Ms,s=!1){let c=this.elements,l=2*i/(t-e),u=2*i/(n-r),d=(t+e)/(t-e),f=(n+r)/(n-r),p,m;if(s)p=i/(a-i),m=a*i/(a-i);else if(o===2e3)p=-(a+i)/(a-i),m=-2*a*i/(a-i);else if(o===2001)p=-a/(a-i),m=-a*i/(a-i);else throw Error(`THREE.Matrix4.makePerspective(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,r,i,a,o=Ms,s=!1){let c=this.elements,l=2/(t-e),u=2/(n-r),d=-(t+e)/(t-e),f=-(n+r)/(n-r),p,m;if(s)p=1/(a-i),m=a/(a-i);else if(o===2e3)p=-2/(a-i),m=-(a+i)/(a-i);else if(o===2001)p=-1/(a-i),m=-i/(a-i);else throw Error(`THREE.Matrix4.makeOrthographic(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<16;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},wc=new U,Tc=new Cc,Ec=new U(0,0,0),Dc=new U(1,1,1),Oc=new U,kc=new U,Ac=new U,jc=new Cc,Mc=new tc,Nc=class e{constructor(t=0,n=0,r=0,i=e.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=n,this._z=r,this._order=i}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,r=this._order){return this._x=e,this._y=t,this._z=n,this._order=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let r=e.elements,i=r[0],a=r[4],o=r[8],s=r[1],c=r[5],l=r[9],u=r[2],d=r[6],f=r[10];switch(t){case`XYZ`:this._y=Math.asin(H(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-l,f),this._z=Math.atan2(-a,i)):(this._x=Math.atan2(d,c),this._z=0);break;case`YXZ`:this._x=Math.asin(-H(l,-1,1)),Math.abs(l)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(s,c)):(this._y=Math.atan2(-u,i),this._z=0);break;case`ZXY`:this._x=Math.asin(H(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(s,i));break;case`ZYX`:this._y=Math.asin(-H(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(s,i)):(this._x=0,this._z=Math.atan2(-a,c));break;case`YZX`:this._z=Math.asin(H(s,-1,1)),Math.abs(s)<.9999999?(this._x=Math.atan2(-l,c),this._y=Math.atan2(-u,i)):(this._x=0,this._y=Math.atan2(o,f));break;case`XZY`:this._z=Math.asin(-H(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,i)):(this._x=Math.atan2(-l,f),this._y=0);break;default:B(`Euler: .setFromRotationMatrix() encountered an unknown order: `+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return jc.makeRotationFromQuaternion(e),this.setFromRotationMatrix(jc,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return Mc.setFromEuler(this),this.setFromQuaternion(Mc,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Nc.DEFAULT_ORDER=`XYZ`;var Pc=class{constructor(){this.mask=1}set(e){this.mask=1<<e>>>0}enable(e){this.mask|=1<<e}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e}disable(e){this.mask&=~(1<<e)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return!!(this.mask&1<<e)}},Fc=0,Ic=new U,Lc=new tc,Rc=new Cc,zc=new U,Bc=new U,Vc=new U,Hc=new tc,Uc=new U(1,0,0),Wc=new U(0,1,0),Gc=new U(0,0,1),Kc={type:`added`},qc={type:`removed`},Jc={type:`childadded`,child:null},Yc={type:`childremoved`,child:null},Xc=class e extends Us{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Fc++}),this.uuid=qs(),this.name=``,this.type=`Object3D`,this.parent=null,this.children=[],this.up=e.DEFAULT_UP.clone();let t=new U,n=new Nc,r=new tc,i=new U(1,1,1);function a(){r.setFromEuler(n,!1)}function o(){n.setFromQuaternion(r,void 0,!1)}n._onChange(a),r._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:n},quaternion:{configurable:!0,enumerable:!0,value:r},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new Cc},normalMatrix:{value:new W}}),this.matrix=new Cc,this.matrixWorld=new Cc,this.matrixAutoUpdate=e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Pc,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Lc.setFromAxisAngle(e,t),this.quaternion.multiply(Lc),this}rotateOnWorldAxis(e,t){return Lc.setFromAxisAngle(e,t),this.quaternion.premultiply(Lc),this}rotateX(e){return this.rotateOnAxis(Uc,e)}rotateY(e){return this.rotateOnAxis(Wc,e)}rotateZ(e){return this.rotateOnAxis(Gc,e)}translateOnAxis(e,t){return Ic.copy(e).applyQuaternion(this.quaternion),this.position.add(Ic.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(Uc,e)}translateY(e){return this.translateOnAxis(Wc,e)}translateZ(e){return this.translateOnAxis(Gc,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(Rc.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?zc.copy(e):zc.set(e,t,n);let r=this.parent;this.updateWorldMatrix(!0,!1),Bc.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Rc.lookAt(Bc,zc,this.up):Rc.lookAt(zc,Bc,this.up),this.quaternion.setFromRotationMatrix(Rc),r&&(Rc.extractRotation(r.matrixWorld),Lc.setFromRotationMatrix(Rc),this.quaternion.premultiply(Lc.invert()))}add(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return e===this?(V(`Object3D.add: object can't be added as a child of itself.`,e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Kc),Jc.child=e,this.dispatchEvent(Jc),Jc.child=null):V(`Object3D.add: object not an instance of THREE.Object3D.`,e),this)}remove(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.remove(arguments[e]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(qc),Yc.child=e,this.dispatchEvent(Yc),Yc.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),Rc.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),Rc.multiply(e.parent.matrixWorld)),e.applyMatrix4(Rc),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Kc),Jc.child=e,this.dispatchEvent(Jc),Jc.child=null,this}getObjectById(e){return this.getObjectByProperty(`id`,e)}getObjectByName(e){return this.getObjectByProperty(`name`,e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,r=this.children.length;n<r;n++){let r=this.children[n].getObjectByProperty(e,t);if(r!==void 0)return r}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let r=this.children;for(let i=0,a=r.length;i<a;i++)r[i].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Bc,e,Vc),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Bc,Hc,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,r=e.z,i=this.matrix.elements;i[12]+=t-i[0]*t-i[4]*n-i[8]*r,i[13]+=n-i[1]*t-i[5]*n-i[9]*r,i[14]+=r-i[2]*t-i[6]*n-i[10]*r}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let r=this.parent;if(e===!0&&r!==null&&r.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let e=this.children;for(let t=0,r=e.length;t<r;t++)e[t].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e==`string`,n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:`Object`,generator:`Object3D.toJSON`});let r={};r.uuid=this.uuid,r.type=this.type,r.name=this.name,r.castShadow=this.castShadow,r.receiveShadow=this.receiveShadow,r.visible=this.visible,r.frustumCulled=this.frustumCulled,r.renderOrder=this.renderOrder,r.static=this.static,r.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(r.userData=this.userData),r.layers=this.layers.mask,r.matrix=this.matrix.toArray(),r.up=this.up.toArray(),this.pivot!==null&&(r.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(r.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(r.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(r.type=`InstancedMesh`,r.count=this.count,r.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(r.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(r.type=`BatchedMesh`,r.perObjectFrustumCulled=this.perObjectFrustumCulled,r.sortObjects=this.sortObjects,r.drawRanges=this._drawRanges,r.reservedRanges=this._reservedRanges,r.geometryInfo=this._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox?e.boundingBox.toJSON():void 0,boundingSphere:e.boundingSphere?e.boundingSphere.toJSON():void 0})),r.instanceInfo=this._instanceInfo.map(e=>({...e})),r.availableInstanceIds=this._availableInstanceIds.slice(),r.availableGeometryIds=this._availableGeometryIds.slice(),r.nextIndexStart=this._nextIndexStart,r.nextVertexStart=this._nextVertexStart,r.geometryCount=this._geometryCount,r.maxInstanceCount=this._maxInstanceCount,r.maxVertexCount=this._maxVertexCount,r.maxIndexCount=this._maxIndexCount,r.geometryInitialized=this._geometryInitialized,r.matricesTexture=this._matricesTexture.toJSON(e),r.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(r.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(r.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(r.boundingBox=this.boundingBox.toJSON()));function i(t,n){return t[n.uuid]===void 0&&(t[n.uuid]=n.toJSON(e)),n.uuid}if(this.isScene)this.background&&(this.background.isColor?r.background=this.background.toJSON():this.background.isTexture&&(r.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(r.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){r.geometry=i(e.geometries,this.geometry);let t=this.geometry.parameters;if(t!==void 0&&t.shapes!==void 0){let n=t.shapes;if(Array.isArray(n))for(let t=0,r=n.length;t<r;t++){let r=n[t];i(e.shapes,r)}else i(e.shapes,n)}}if(this.isSkinnedMesh&&(r.bindMode=this.bindMode,r.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(i(e.skeletons,this.skeleton),r.skeleton=this.skeleton.uuid)),this.material!==void 0){if(Array.isArray(this.material)){let t=[];for(let n=0,r=this.material.length;n<r;n++)t.push(i(e.materials,this.material[n]));r.material=t}else r.material=i(e.materials,this.material)}if(this.children.length>0){r.children=[];for(let t=0;t<this.children.length;t++)r.children.push(this.children[t].toJSON(e).object)}if(this.animations.length>0){r.animations=[];for(let t=0;t<this.animations.length;t++){let n=this.animations[t];r.animations.push(i(e.animations,n))}}if(t){let t=a(e.geometries),r=a(e.materials),i=a(e.textures),o=a(e.images),s=a(e.shapes),c=a(e.skeletons),l=a(e.animations),u=a(e.nodes);t.length>0&&(n.geometries=t),r.length>0&&(n.materials=r),i.length>0&&(n.textures=i),o.length>0&&(n.images=o),s.length>0&&(n.shapes=s),c.length>0&&(n.skeletons=c),l.length>0&&(n.animations=l),u.length>0&&(n.nodes=u)}return n.object=r,n;function a(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot===null?null:e.pivot.clone(),this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let t=0;t<e.children.length;t++){let n=e.children[t];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:`dispose`})}};Xc.DEFAULT_UP=new U(0,1,0),Xc.DEFAULT_MATRIX_AUTO_UPDATE=!0,Xc.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Zc=class extends Xc{constructor(){super(),this.isGroup=!0,this.type=`Group`}},Qc={type:`move`},$c=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Zc,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Zc,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new U,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new U),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Zc,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new U,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new U,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:`connected`,data:e}),this}disconnect(e){return this.dispatchEvent({type:`disconnected`,data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let r=null,i=null,a=null,o=this._targetRay,s=this._grip,c=this._hand;if(e&&t.session.visibilityState!==`visible-blurred`){if(c&&e.hand){a=!0;for(let r of e.hand.values()){let e=t.getJointPose(r,n),i=this._getHandJoint(c,r);e!==null&&(i.matrix.fromArray(e.transform.matrix),i.matrix.decompose(i.position,i.quaternion,i.scale),i.matrixWorldNeedsUpdate=!0,i.jointRadius=e.radius),i.visible=e!==null}let r=c.joints[`index-finger-tip`],i=c.joints[`thumb-tip`],o=r.position.distanceTo(i.position);c.inputState.pinching&&o>.025?(c.inputState.pinching=!1,this.dispatchEvent({type:`pinchend`,handedness:e.handedness,target:this})):!c.inputState.pinching&&o<=.015&&(c.inputState.pinching=!0,this.dispatchEvent({type:`pinchstart`,handedness:e.handedness,target:this}))}else s!==null&&e.gripSpace&&(i=t.getPose(e.gripSpace,n),i!==null&&(s.matrix.fromArray(i.transform.matrix),s.matrix.decompose(s.position,s.quaternion,s.scale),s.matrixWorldNeedsUpdate=!0,i.linearVelocity?(s.hasLinearVelocity=!0,s.linearVelocity.copy(i.linearVelocity)):s.hasLinearVelocity=!1,i.angularVelocity?(s.hasAngularVelocity=!0,s.angularVelocity.copy(i.angularVelocity)):s.hasAngularVelocity=!1,s.eventsEnabled&&s.dispatchEvent({type:`gripUpdated`,data:e,target:this})));o!==null&&(r=t.getPose(e.targetRaySpace,n),r===null&&i!==null&&(r=i),r!==null&&(o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,r.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(r.linearVelocity)):o.hasLinearVelocity=!1,r.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(r.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(Qc)))}return o!==null&&(o.visible=r!==null),s!==null&&(s.visible=i!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new Zc;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},el={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},tl={h:0,s:0,l:0},nl={h:0,s:0,l:0};function rl(e,t,n){return n<0&&(n+=1),n>1&&--n,n<1/6?e+(t-e)*6*n:n<1/2?t:n<2/3?e+(t-e)*6*(2/3-n):e}var K=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let t=e;t&&t.isColor?this.copy(t):typeof t==`number`?this.setHex(t):typeof t==`string`&&this.setStyle(t)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=Ts){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,G.colorSpaceToWorking(this,t),this}setRGB(e,t,n,r=G.workingColorSpace){return this.r=e,this.g=t,this.b=n,G.colorSpaceToWorking(this,r),this}setHSL(e,t,n,r=G.workingColorSpace){if(e=Js(e,1),t=H(t,0,1),n=H(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,i=2*n-r;this.r=rl(i,r,e+1/3),this.g=rl(i,r,e),this.b=rl(i,r,e-1/3)}return G.colorSpaceToWorking(this,r),this}setStyle(e,t=Ts){function n(t){t!==void 0&&parseFloat(t)<1&&B(`Color: Alpha component of `+e+` will be ignored.`)}let r;if(r=/^(\w+)\(([^\)]*)\)/.exec(e)){let i,a=r[1],o=r[2];switch(a){case`rgb`:case`rgba`:if(i=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(255,parseInt(i[1],10))/255,Math.min(255,parseInt(i[2],10))/255,Math.min(255,parseInt(i[3],10))/255,t);if(i=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(100,parseFloat(i[1]))/100,Math.min(100,parseFloat(i[2]))/100,Math.min(100,parseFloat(i[3]))/100,t);break;case`hsl`:case`hsla`:if(i=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setHSL(parseFloat(i[1])/360,parseFloat(i[2])/100,parseFloat(i[3])/100,t);break;default:B(`Color: Unknown color model `+e)}}else if(r=/^\#([A-Fa-f\d]+)$/.exec(e)){let n=r[1],i=n.length;if(i===3)return this.setRGB(parseInt(n.charAt(0),16)/15,parseInt(n.charAt(1),16)/15,parseInt(n.charAt(2),16)/15,t);if(i===6)return this.setHex(parseInt(n,16),t);B(`Color: Invalid hex color `+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=Ts){let n=el[e.toLowerCase()];return n===void 0?B(`Color: Unknown color `+e):this.setHex(n,t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=cc(e.r),this.g=cc(e.g),this.b=cc(e.b),this}copyLinearToSRGB(e){return this.r=lc(e.r),this.g=lc(e.g),this.b=lc(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=Ts){return G.workingToColorSpace(il.copy(this),e),Math.round(H(il.r*255,0,255))*65536+Math.round(H(il.g*255,0,255))*256+Math.round(H(il.b*255,0,255))}getHexString(e=Ts){return(`000000`+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=G.workingColorSpace){G.workingToColorSpace(il.copy(this),t);let n=il.r,r=il.g,i=il.b,a=Math.max(n,r,i),o=Math.min(n,r,i),s,c,l=(o+a)/2;if(o===a)s=0,c=0;else{let e=a-o;switch(c=l<=.5?e/(a+o):e/(2-a-o),a){case n:s=(r-i)/e+(r<i?6:0);break;case r:s=(i-n)/e+2;break;case i:s=(n-r)/e+4}s/=6}return e.h=s,e.s=c,e.l=l,e}getRGB(e,t=G.workingColorSpace){return G.workingToColorSpace(il.copy(this),t),e.r=il.r,e.g=il.g,e.b=il.b,e}getStyle(e=Ts){G.workingToColorSpace(il.copy(this),e);let t=il.r,n=il.g,r=il.b;return e===`srgb`?`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(r*255)})`:`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${r.toFixed(3)})`}offsetHSL(e,t,n){return this.getHSL(tl),this.setHSL(tl.h+e,tl.s+t,tl.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(tl),e.getHSL(nl);let n=Ys(tl.h,nl.h,t),r=Ys(tl.s,nl.s,t),i=Ys(tl.l,nl.l,t);return this.setHSL(n,r,i),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,r=this.b,i=e.elements;return this.r=i[0]*t+i[3]*n+i[6]*r,this.g=i[1]*t+i[4]*n+i[7]*r,this.b=i[2]*t+i[5]*n+i[8]*r,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},il=new K;K.NAMES=el;var al=class extends Xc{constructor(){super(),this.isScene=!0,this.type=`Scene`,this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Nc,this.environmentIntensity=1,this.environmentRotation=new Nc,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background===null?null:e.background.clone(),this.environment=e.environment===null?null:e.environment.clone(),this.fog=e.fog===null?null:e.fog.clone(),this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial===null?null:e.overrideMaterial.clone(),this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},ol=new U,sl=new U,cl=new U,ll=new U,ul=new U,dl=new U,fl=new U,pl=new U,ml=new U,hl=new U,gl=new vc,_l=new vc,vl=new vc,yl=class e{constructor(e=new U,t=new U,n=new U){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,r){r.subVectors(n,t),ol.subVectors(e,t),r.cross(ol);let i=r.lengthSq();return i>0?r.multiplyScalar(1/Math.sqrt(i)):r.set(0,0,0)}static getBarycoord(e,t,n,r,i){ol.subVectors(r,t),sl.subVectors(n,t),cl.subVectors(e,t);let a=ol.dot(ol),o=ol.dot(sl),s=ol.dot(cl),c=sl.dot(sl),l=sl.dot(cl),u=a*c-o*o;if(u===0)return i.set(0,0,0),null;let d=1/u,f=(c*s-o*l)*d,p=(a*l-o*s)*d;return i.set(1-f-p,p,f)}static containsPoint(e,t,n,r){return this.getBarycoord(e,t,n,r,ll)!==null&&ll.x>=0&&ll.y>=0&&ll.x+ll.y<=1}static getInterpolation(e,t,n,r,i,a,o,s){return this.getBarycoord(e,t,n,r,ll)===null?(s.x=0,s.y=0,`z`in s&&(s.z=0),`w`in s&&(s.w=0),null):(s.setScalar(0),s.addScaledVector(i,ll.x),s.addScaledVector(a,ll.y),s.addScaledVector(o,ll.z),s)}static getInterpolatedAttribute(e,t,n,r,i,a){return gl.setScalar(0),_l.setScalar(0),vl.setScalar(0),gl.fromBufferAttribute(e,t),_l.fromBufferAttribute(e,n),vl.fromBufferAttribute(e,r),a.setScalar(0),a.addScaledVector(gl,i.x),a.addScaledVector(_l,i.y),a.addScaledVector(vl,i.z),a}static isFrontFacing(e,t,n,r){return ol.subVectors(n,t),sl.subVectors(e,t),ol.cross(sl).dot(r)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,r){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[r]),this}setFromAttributeAndIndices(e,t,n,r){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,r),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return ol.subVectors(this.c,this.b),sl.subVectors(this.a,this.b),ol.cross(sl).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return e.getNormal(this.a,this.b,this.c,t)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,n){return e.getBarycoord(t,this.a,this.b,this.c,n)}getInterpolation(t,n,r,i,a){return e.getInterpolation(t,this.a,this.b,this.c,n,r,i,a)}containsPoint(t){return e.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return e.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,r=this.b,i=this.c,a,o;ul.subVectors(r,n),dl.subVectors(i,n),pl.subVectors(e,n);let s=ul.dot(pl),c=dl.dot(pl);if(s<=0&&c<=0)return t.copy(n);ml.subVectors(e,r);let l=ul.dot(ml),u=dl.dot(ml);if(l>=0&&u<=l)return t.copy(r);let d=s*u-l*c;if(d<=0&&s>=0&&l<=0&&s-l>0)return a=s/(s-l),t.copy(n).addScaledVector(ul,a);hl.subVectors(e,i);let f=ul.dot(hl),p=dl.dot(hl);if(p>=0&&f<=p)return t.copy(i);let m=f*c-s*p;if(m<=0&&c>=0&&p<=0)return o=c/(c-p),t.copy(n).addScaledVector(dl,o);let h=l*p-f*u;if(h<=0&&u-l>=0&&f-p>=0)return fl.subVectors(i,r),o=(u-l)/(u-l+(f-p)),t.copy(r).addScaledVector(fl,o);let g=1/(h+m+d);return a=m*g,o=d*g,t.copy(n).addScaledVector(ul,a).addScaledVector(dl,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},bl=class{constructor(e=new U(1/0,1/0,1/0),t=new U(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(Sl.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(Sl.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=Sl.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute(`position`);if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let t=0,n=r.count;t<n;t++)e.isMesh===!0?e.getVertexPosition(t,Sl):Sl.fromBufferAttribute(r,t),Sl.applyMatrix4(e.matrixWorld),this.expandByPoint(Sl);else e.boundingBox===void 0?(n.boundingBox===null&&n.computeBoundingBox(),Cl.copy(n.boundingBox)):(e.boundingBox===null&&e.computeBoundingBox(),Cl.copy(e.boundingBox)),Cl.applyMatrix4(e.matrixWorld),this.union(Cl)}let r=e.children;for(let e=0,n=r.length;e<n;e++)this.expandByObject(r[e],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,Sl),Sl.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(Al),jl.subVectors(this.max,Al),wl.subVectors(e.a,Al),Tl.subVectors(e.b,Al),El.subVectors(e.c,Al),Dl.subVectors(Tl,wl),Ol.subVectors(El,Tl),kl.subVectors(wl,El);let t=[0,-Dl.z,Dl.y,0,-Ol.z,Ol.y,0,-kl.z,kl.y,Dl.z,0,-Dl.x,Ol.z,0,-Ol.x,kl.z,0,-kl.x,-Dl.y,Dl.x,0,-Ol.y,Ol.x,0,-kl.y,kl.x,0];return!Pl(t,wl,Tl,El,jl)||(t=[1,0,0,0,1,0,0,0,1],!Pl(t,wl,Tl,El,jl))?!1:(Ml.crossVectors(Dl,Ol),t=[Ml.x,Ml.y,Ml.z],Pl(t,wl,Tl,El,jl))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,Sl).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(Sl).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()||(xl[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),xl[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),xl[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),xl[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),xl[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),xl[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),xl[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),xl[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(xl)),this}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},xl=[new U,new U,new U,new U,new U,new U,new U,new U],Sl=new U,Cl=new bl,wl=new U,Tl=new U,El=new U,Dl=new U,Ol=new U,kl=new U,Al=new U,jl=new U,Ml=new U,Nl=new U;function Pl(e,t,n,r,i){for(let a=0,o=e.length-3;a<=o;a+=3){Nl.fromArray(e,a);let o=i.x*Math.abs(Nl.x)+i.y*Math.abs(Nl.y)+i.z*Math.abs(Nl.z),s=t.dot(Nl),c=n.dot(Nl),l=r.dot(Nl);if(Math.max(-Math.max(s,c,l),Math.min(s,c,l))>o)return!1}return!0}var Fl=new U,Il=new ec,Ll=0,Rl=class extends Us{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw TypeError(`THREE.BufferAttribute: array should be a Typed Array.`);this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Ll++}),this.name=``,this.array=e,this.itemSize=t,this.count=e===void 0?0:e.length/t,this.normalized=n,this.usage=As,this.updateRanges=[],this.gpuType=vo,this.version=0,this._normalizationScale=e===void 0?void 0:Zs(e)}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let r=0,i=this.itemSize;r<i;r++)this.array[e+r]=t.array[n+r];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Il.fromBufferAttribute(this,t),Il.applyMatrix3(e),this.setXY(t,Il.x,Il.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)Fl.fromBufferAttribute(this,t),Fl.applyMatrix3(e),this.setXYZ(t,Fl.x,Fl.y,Fl.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)Fl.fromBufferAttribute(this,t),Fl.applyMatrix4(e),this.setXYZ(t,Fl.x,Fl.y,Fl.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Fl.fromBufferAttribute(this,t),Fl.applyNormalMatrix(e),this.setXYZ(t,Fl.x,Fl.y,Fl.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Fl.fromBufferAttribute(this,t),Fl.transformDirection(e),this.setXYZ(t,Fl.x,Fl.y,Fl.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this.array[e+3]=i,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:`dispose`})}_denormalize(e){let t=this._normalizationScale;return t===void 0?Qs(e,this.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?$s(e,this.array):Math.round(e*t)}},zl=class extends Rl{constructor(e,t,n){super(new Uint16Array(e),t,n)}},Bl=class extends Rl{constructor(e,t,n){super(new Uint32Array(e),t,n)}},Vl=class extends Rl{constructor(e,t,n){super(new Float32Array(e),t,n)}},Hl=new bl,Ul=new U,Wl=new U,Gl=class{constructor(e=new U,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t===void 0?Hl.setFromPoints(e).getCenter(n):n.copy(t);let r=0;for(let t=0,i=e.length;t<i;t++)r=Math.max(r,n.distanceToSquared(e[t]));return this.radius=Math.sqrt(r),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius*=e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;Ul.subVectors(e,this.center);let t=Ul.lengthSq();if(t>this.radius*this.radius){let e=Math.sqrt(t),n=(e-this.radius)*.5;this.center.addScaledVector(Ul,n/e),this.radius+=n}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Wl.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(Ul.copy(e.center).add(Wl)),this.expandByPoint(Ul.copy(e.center).sub(Wl))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},Kl=0,ql=new Cc,Jl=new Xc,Yl=new U,Xl=new bl,Zl=new bl,Ql=new U,$l=class e extends Us{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Kl++}),this.uuid=qs(),this.name=``,this.type=`BufferGeometry`,this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return this.index=Array.isArray(e)?new(Ns(e)?Bl:zl)(e,1):e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let t=new W().getNormalMatrix(e);n.applyNormalMatrix(t),n.needsUpdate=!0}let r=this.attributes.tangent;return r!==void 0&&(r.transformDirection(e),r.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return ql.makeRotationFromQuaternion(e),this.applyMatrix4(ql),this}rotateX(e){return ql.makeRotationX(e),this.applyMatrix4(ql),this}rotateY(e){return ql.makeRotationY(e),this.applyMatrix4(ql),this}rotateZ(e){return ql.makeRotationZ(e),this.applyMatrix4(ql),this}translate(e,t,n){return ql.makeTranslation(e,t,n),this.applyMatrix4(ql),this}scale(e,t,n){return ql.makeScale(e,t,n),this.applyMatrix4(ql),this}lookAt(e){return Jl.lookAt(e),Jl.updateMatrix(),this.applyMatrix4(Jl.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Yl).negate(),this.translate(Yl.x,Yl.y,Yl.z),this}setFromPoints(e){let t=this.getAttribute(`position`);if(t===void 0){let t=[];for(let n=0,r=e.length;n<r;n++){let r=e[n];t.push(r.x,r.y,r.z||0)}this.setAttribute(`position`,new Vl(t,3))}else{let n=Math.min(e.length,t.count);for(let r=0;r<n;r++){let n=e[r];t.setXYZ(r,n.x,n.y,n.z||0)}e.length>t.count&&B(`BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry.`),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new bl);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)V(`BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.`,this),this.boundingBox.set(new U(-1/0,-1/0,-1/0),new U(1/0,1/0,1/0));else{if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Xl.setFromBufferAttribute(n),this.morphTargetsRelative?(Ql.addVectors(this.boundingBox.min,Xl.min),this.boundingBox.expandByPoint(Ql),Ql.addVectors(this.boundingBox.max,Xl.max),this.boundingBox.expandByPoint(Ql)):(this.boundingBox.expandByPoint(Xl.min),this.boundingBox.expandByPoint(Xl.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&V(`BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.`,this)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Gl);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)V(`BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.`,this),this.boundingSphere.set(new U,1/0);else if(e){let n=this.boundingSphere.center;if(Xl.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Zl.setFromBufferAttribute(n),this.morphTargetsRelative?(Ql.addVectors(Xl.min,Zl.min),Xl.expandByPoint(Ql),Ql.addVectors(Xl.max,Zl.max),Xl.expandByPoint(Ql)):(Xl.expandByPoint(Zl.min),Xl.expandByPoint(Zl.max))}Xl.getCenter(n);let r=0;for(let t=0,i=e.count;t<i;t++)Ql.fromBufferAttribute(e,t),r=Math.max(r,n.distanceToSquared(Ql));if(t)for(let i=0,a=t.length;i<a;i++){let a=t[i],o=this.morphTargetsRelative;for(let t=0,i=a.count;t<i;t++)Ql.fromBufferAttribute(a,t),o&&(Yl.fromBufferAttribute(e,t),Ql.add(Yl)),r=Math.max(r,n.distanceToSquared(Ql))}this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&V(`BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.`,this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){V(`BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)`);return}let n=t.position,r=t.normal,i=t.uv,a=this.getAttribute(`tangent`);(a===void 0||a.count!==n.count)&&(a=new Rl(new Float32Array(4*n.count),4),this.setAttribute(`tangent`,a));let o=[],s=[],c=new Uint8Array(n.count);for(let e=0;e<n.count;e++)o[e]=new U,s[e]=new U;let l=new U,u=new U,d=new U,f=new ec,p=new ec,m=new ec,h=new U,g=new U;function _(e,t,r){c[e]=c[t]=c[r]=1,l.fromBufferAttribute(n,e),u.fromBufferAttribute(n,t),d.fromBufferAttribute(n,r),f.fromBufferAttribute(i,e),p.fromBufferAttribute(i,t),m.fromBufferAttribute(i,r),u.sub(l),d.sub(l),p.sub(f),m.sub(f);let a=1/(p.x*m.y-m.x*p.y);isFinite(a)&&(h.copy(u).multiplyScalar(m.y).addScaledVector(d,-p.y).multiplyScalar(a),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-m.x).multiplyScalar(a),o[e].add(h),o[t].add(h),o[r].add(h),s[e].add(g),s[t].add(g),s[r].add(g))}let v=this.groups;v.length===0&&(v=[{start:0,count:e.count}]);for(let t=0,n=v.length;t<n;++t){let n=v[t],r=n.start,i=n.count;for(let t=r,n=r+i;t<n;t+=3)_(e.getX(t+0),e.getX(t+1),e.getX(t+2))}let y=new U,b=new U,x=new U,S=new U;function C(e){x.fromBufferAttribute(r,e),S.copy(x);let t=o[e];y.copy(t),y.sub(x.multiplyScalar(x.dot(t))).normalize(),b.crossVectors(S,t);let n=b.dot(s[e])<0?-1:1;a.setXYZW(e,y.x,y.y,y.z,n)}for(let e=0,t=n.count;e<t;++e)c[e]&&C(e);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute(`position`);if(t!==void 0){let n=this.getAttribute(`normal`);if(n===void 0||n.count!==t.count)n=new Rl(new Float32Array(t.count*3),3),this.setAttribute(`normal`,n);else for(let e=0,t=n.count;e<t;e++)n.setXYZ(e,0,0,0);let r=new U,i=new U,a=new U,o=new U,s=new U,c=new U,l=new U,u=new U;if(e)for(let d=0,f=e.count;d<f;d+=3){let f=e.getX(d+0),p=e.getX(d+1),m=e.getX(d+2);r.fromBufferAttribute(t,f),i.fromBufferAttribute(t,p),a.fromBufferAttribute(t,m),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),o.fromBufferAttribute(n,f),s.fromBufferAttribute(n,p),c.fromBufferAttribute(n,m),o.add(l),s.add(l),c.add(l),n.setXYZ(f,o.x,o.y,o.z),n.setXYZ(p,s.x,s.y,s.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let e=0,o=t.count;e<o;e+=3)r.fromBufferAttribute(t,e+0),i.fromBufferAttribute(t,e+1),a.fromBufferAttribute(t,e+2),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),n.setXYZ(e+0,l.x,l.y,l.z),n.setXYZ(e+1,l.x,l.y,l.z),n.setXYZ(e+2,l.x,l.y,l.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Ql.fromBufferAttribute(e,t),Ql.normalize(),e.setXYZ(t,Ql.x,Ql.y,Ql.z)}toNonIndexed(){function t(e,t){let n=e.array,r=e.itemSize,i=e.normalized,a=new n.constructor(t.length*r),o=0,s=0;for(let i=0,c=t.length;i<c;i++){o=e.isInterleavedBufferAttribute?t[i]*e.data.stride+e.offset:t[i]*r;for(let e=0;e<r;e++)a[s++]=n[o++]}return new Rl(a,r,i)}if(this.index===null)return B(`BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed.`),this;let n=new e,r=this.index.array,i=this.attributes;for(let e in i){let a=i[e],o=t(a,r);n.setAttribute(e,o)}let a=this.morphAttributes;for(let e in a){let i=[],o=a[e];for(let e=0,n=o.length;e<n;e++){let n=o[e],a=t(n,r);i.push(a)}n.morphAttributes[e]=i}n.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let e=0,t=o.length;e<t;e++){let t=o[e];n.addGroup(t.start,t.count,t.materialIndex)}return n}toJSON(){let e={metadata:{version:4.7,type:`BufferGeometry`,generator:`BufferGeometry.toJSON`}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?`BufferGeometry`:this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let t=this.parameters;for(let n in t)t[n]!==void 0&&(e[n]=t[n]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let t in n){let r=n[t];e.data.attributes[t]=r.toJSON(e.data)}let r={},i=!1;for(let t in this.morphAttributes){let n=this.morphAttributes[t],a=[];for(let t=0,r=n.length;t<r;t++){let r=n[t];a.push(r.toJSON(e.data))}a.length>0&&(r[t]=a,i=!0)}i&&(e.data.morphAttributes=r,e.data.morphTargetsRelative=this.morphTargetsRelative);let a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));let o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let r=e.attributes;for(let e in r){let n=r[e];this.setAttribute(e,n.clone(t))}let i=e.morphAttributes;for(let e in i){let n=[],r=i[e];for(let e=0,i=r.length;e<i;e++)n.push(r[e].clone(t));this.morphAttributes[e]=n}this.morphTargetsRelative=e.morphTargetsRelative;let a=e.groups;for(let e=0,t=a.length;e<t;e++){let t=a[e];this.addGroup(t.start,t.count,t.materialIndex)}let o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());let s=e.boundingSphere;return s!==null&&(this.boundingSphere=s.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:`dispose`})}},eu=new U,tu=new U,nu=new W,ru=class{constructor(e=new U(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,r){return this.normal.set(e,t,n),this.constant=r,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let r=eu.subVectors(n,t).cross(tu.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(r,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let r=e.delta(eu),i=this.normal.dot(r);if(i===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let a=-(e.start.dot(this.normal)+this.constant)/i;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(r,a)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||nu.getNormalMatrix(e),r=this.coplanarPoint(eu).applyMatrix4(e),i=this.normal.applyMatrix3(n).normalize();return this.constant=-r.dot(i),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},iu=0,au=class extends Us{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:iu++}),this.uuid=qs(),this.name=``,this.type=`Material`,this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new K(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=ks,this.stencilZFail=ks,this.stencilZPass=ks,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){B(`Material: parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?B(`Material: '${t}' is not a property of THREE.${this.type}.`):r&&r.isColor?r.set(n):r&&r.isVector2&&n&&n.isVector2||r&&r.isEuler&&n&&n.isEuler||r&&r.isVector3&&n&&n.isVector3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:`Material`,generator:`Material.toJSON`}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(e=>e.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function r(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}if(t){let t=r(e.textures),i=r(e.images);t.length>0&&(n.textures=t),i.length>0&&(n.images=i)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new K().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(e=>new ru().fromJSON(e))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(this.vertexColors=typeof e.vertexColors==`number`?e.vertexColors>0:e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let t=e.normalScale;Array.isArray(t)===!1&&(t=[t,t]),this.normalScale=new ec().fromArray(t)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new ec().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let e=t.length;n=Array(e);for(let r=0;r!==e;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:`dispose`})}set needsUpdate(e){e===!0&&this.version++}},ou=new U,su=new U,cu=new U,lu=new U,uu=class{constructor(e=new U,t=new U(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,ou)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=ou.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(ou.copy(this.origin).addScaledVector(this.direction,t),ou.distanceToSquared(e))}distanceSqToSegment(e,t,n,r){su.copy(e).add(t).multiplyScalar(.5),cu.copy(t).sub(e).normalize(),lu.copy(this.origin).sub(su);let i=e.distanceTo(t)*.5,a=-this.direction.dot(cu),o=lu.dot(this.direction),s=-lu.dot(cu),c=lu.lengthSq(),l=Math.abs(1-a*a),u,d,f,p;if(l>0){if(u=a*s-o,d=a*o-s,p=i*l,u>=0){if(d>=-p){if(d<=p){let e=1/l;u*=e,d*=e,f=u*(u+a*d+2*o)+d*(a*u+d+2*s)+c}else d=i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d=-i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d<=-p?(u=Math.max(0,-(-a*i+o)),d=u>0?-i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c):d<=p?(u=0,d=Math.min(Math.max(-i,-s),i),f=d*(d+2*s)+c):(u=Math.max(0,-(a*i+o)),d=u>0?i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c)}else d=a>0?-i:i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),r&&r.copy(su).addScaledVector(cu,d),f}intersectSphere(e,t){if(e.radius<0)return null;ou.subVectors(e.center,this.origin);let n=ou.dot(this.direction),r=ou.dot(ou)-n*n,i=e.radius*e.radius;if(r>i)return null;let a=Math.sqrt(i-r),o=n-a,s=n+a;return s<0?null:o<0?this.at(s,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,r,i,a,o,s,c=1/this.direction.x,l=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,r=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,r=(e.min.x-d.x)*c),l>=0?(i=(e.min.y-d.y)*l,a=(e.max.y-d.y)*l):(i=(e.max.y-d.y)*l,a=(e.min.y-d.y)*l),n>a||i>r||((i>n||isNaN(n))&&(n=i),(a<r||isNaN(r))&&(r=a),u>=0?(o=(e.min.z-d.z)*u,s=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,s=(e.min.z-d.z)*u),n>s||o>r)||((o>n||n!==n)&&(n=o),(s<r||r!==r)&&(r=s),r<0)?null:this.at(n>=0?n:r,t)}intersectsBox(e){return this.intersectBox(e,ou)!==null}intersectTriangle(e,t,n,r,i){let a=this.origin,o=this.direction,s=o.x,c=o.y,l=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,p=t.x-a.x,m=t.y-a.y,h=t.z-a.z,g=n.x-a.x,_=n.y-a.y,v=n.z-a.z,y=Math.abs(s),b=Math.abs(c),x=Math.abs(l),S,C,w,T,E,D,O,k,A,j,ee,M;if(y>=b&&y>=x?(w=s,D=u,A=p,M=g,s>=0?(S=c,C=l,T=d,E=f,O=m,k=h,j=_,ee=v):(S=l,C=c,T=f,E=d,O=h,k=m,j=v,ee=_)):b>=x?(w=c,D=d,A=m,M=_,c>=0?(S=l,C=s,T=f,E=u,O=h,k=p,j=v,ee=g):(S=s,C=l,T=u,E=f,O=p,k=h,j=g,ee=v)):(w=l,D=f,A=h,M=v,l>=0?(S=s,C=c,T=u,E=d,O=p,k=m,j=g,ee=_):(S=c,C=s,T=d,E=u,O=m,k=p,j=_,ee=g)),w===0)return null;let te=S/w,ne=C/w,re=1/w,ie=T-te*D,ae=E-ne*D,oe=O-te*A,se=k-ne*A,ce=j-te*M,le=ee-ne*M,ue=ce*se-le*oe,de=ie*le-ae*ce,fe=oe*ae-se*ie;if(r){if(ue<0||de<0||fe<0)return null}else if((ue<0||de<0||fe<0)&&(ue>0||de>0||fe>0))return null;let pe=ue+de+fe;if(pe===0)return null;let me=re*(ue*D+de*A+fe*M);return(pe>0?me<0:me>0)?null:this.at(me/pe,i)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},du=class extends au{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type=`MeshBasicMaterial`,this.color=new K(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Nc,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},fu=new Cc,pu=new uu,mu=new Gl,hu=new U,gu=new U,_u=new U,vu=new U,yu=new U,bu=new U,xu=new U,Su=new U,Cu=class extends Xc{constructor(e=new $l,t=new du){super(),this.isMesh=!0,this.type=`Mesh`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}getVertexPosition(e,t){let n=this.geometry,r=n.attributes.position,i=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(r,e);let o=this.morphTargetInfluences;if(i&&o){bu.set(0,0,0);for(let n=0,r=i.length;n<r;n++){let r=o[n],s=i[n];r!==0&&(yu.fromBufferAttribute(s,e),a?bu.addScaledVector(yu,r):bu.addScaledVector(yu.sub(t),r))}t.add(bu)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.material,i=this.matrixWorld;r!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),mu.copy(n.boundingSphere),mu.applyMatrix4(i),pu.copy(e.ray).recast(e.near),!(mu.containsPoint(pu.origin)===!1&&(pu.intersectSphere(mu,hu)===null||pu.origin.distanceToSquared(hu)>(e.far-e.near)**2))&&(fu.copy(i).invert(),pu.copy(e.ray).applyMatrix4(fu),(n.boundingBox===null||pu.intersectsBox(n.boundingBox)!==!1)&&this._computeIntersections(e,t,pu)))}_computeIntersections(e,t,n){let r,i=this.geometry,a=this.material,o=i.index,s=i.attributes.position,c=i.attributes.uv,l=i.attributes.uv1,u=i.attributes.normal,d=i.groups,f=i.drawRange;if(o!==null){if(Array.isArray(a))for(let i=0,s=d.length;i<s;i++){let s=d[i],p=a[s.materialIndex],m=Math.max(s.start,f.start),h=Math.min(o.count,Math.min(s.start+s.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=o.getX(i),d=o.getX(i+1),f=o.getX(i+2);r=Tu(this,p,e,n,c,l,u,a,d,f),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=s.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),s=Math.min(o.count,f.start+f.count);for(let d=i,f=s;d<f;d+=3){let i=o.getX(d),s=o.getX(d+1),f=o.getX(d+2);r=Tu(this,a,e,n,c,l,u,i,s,f),r&&(r.faceIndex=Math.floor(d/3),t.push(r))}}}else if(s!==void 0){if(Array.isArray(a))for(let i=0,o=d.length;i<o;i++){let o=d[i],p=a[o.materialIndex],m=Math.max(o.start,f.start),h=Math.min(s.count,Math.min(o.start+o.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=i,s=i+1,d=i+2;r=Tu(this,p,e,n,c,l,u,a,s,d),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=o.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),o=Math.min(s.count,f.start+f.count);for(let s=i,d=o;s<d;s+=3){let i=s,o=s+1,d=s+2;r=Tu(this,a,e,n,c,l,u,i,o,d),r&&(r.faceIndex=Math.floor(s/3),t.push(r))}}}}};function wu(e,t,n,r,i,a,o,s){let c;if(c=t.side===1?r.intersectTriangle(o,a,i,!0,s):r.intersectTriangle(i,a,o,t.side===0,s),c===null)return null;Su.copy(s),Su.applyMatrix4(e.matrixWorld);let l=n.ray.origin.distanceTo(Su);return l<n.near||l>n.far?null:{distance:l,point:Su.clone(),object:e}}function Tu(e,t,n,r,i,a,o,s,c,l){e.getVertexPosition(s,gu),e.getVertexPosition(c,_u),e.getVertexPosition(l,vu);let u=wu(e,t,n,r,gu,_u,vu,xu);if(u){let e=new U;yl.getBarycoord(xu,gu,_u,vu,e),i&&(u.uv=yl.getInterpolatedAttribute(i,s,c,l,e,new ec)),a&&(u.uv1=yl.getInterpolatedAttribute(a,s,c,l,e,new ec)),o&&(u.normal=yl.getInterpolatedAttribute(o,s,c,l,e,new U),u.normal.dot(r.direction)>0&&u.normal.multiplyScalar(-1));let t={a:s,b:c,c:l,normal:new U,materialIndex:0};yl.getNormal(gu,_u,vu,t.normal),u.face=t,u.barycoord=e}return u}var Eu=class extends _c{constructor(e=null,t=1,n=1,r,i,a,o,s,c=ao,l=ao,u,d){super(null,a,o,s,c,l,r,i,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Du=class extends Rl{constructor(e,t,n,r=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=r}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},Ou=new Cc,ku=new Cc,Au=[],ju=new bl,Mu=new Cc,Nu=new Cu,Pu=new Gl,Fu=class extends Cu{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new Du(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let e=0;e<n;e++)this.setMatrixAt(e,Mu)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new bl),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Ou),ju.copy(e.boundingBox).applyMatrix4(Ou),this.boundingBox.union(ju)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new Gl),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Ou),Pu.copy(e.boundingSphere).applyMatrix4(Ou),this.boundingSphere.union(Pu)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture===null?null:e.morphTexture.clone(),this.instanceColor=e.instanceColor===null?null:e.instanceColor.clone(),this.count=e.count,this.boundingBox=e.boundingBox===null?null:e.boundingBox.clone(),this.boundingSphere=e.boundingSphere===null?null:e.boundingSphere.clone(),this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,r=this.morphTexture.source.data.data,i=e*(n.length+1)+1;for(let e=0;e<n.length;e++)n[e]=r[i+e]}raycast(e,t){let n=this.matrixWorld,r=this.count;if(Nu.geometry=this.geometry,Nu.material=this.material,Nu.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Pu.copy(this.boundingSphere),Pu.applyMatrix4(n),e.ray.intersectsSphere(Pu)!==!1))for(let i=0;i<r;i++){this.getMatrixAt(i,Ou),ku.multiplyMatrices(n,Ou),Nu.matrixWorld=ku,Nu.raycast(e,Au);for(let e=0,n=Au.length;e<n;e++){let n=Au[e];n.instanceId=i,n.object=this,t.push(n)}Au.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new Du(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,r=n.length+1;this.morphTexture===null&&(this.morphTexture=new Eu(new Float32Array(r*this.count),r,this.count,Ao,vo));let i=this.morphTexture.source.data.data,a=0;for(let e=0;e<n.length;e++)a+=n[e];let o=this.geometry.morphTargetsRelative?1:1-a,s=r*e;return i[s]=o,i.set(n,s+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Iu=new Gl,Lu=new ec(.5,.5),Ru=new U,zu=class{constructor(e=new ru,t=new ru,n=new ru,r=new ru,i=new ru,a=new ru){this.planes=[e,t,n,r,i,a]}set(e,t,n,r,i,a){let o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(r),o[4].copy(i),o[5].copy(a),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=Ms,n=!1){let r=this.planes,i=e.elements,a=i[0],o=i[1],s=i[2],c=i[3],l=i[4],u=i[5],d=i[6],f=i[7],p=i[8],m=i[9],h=i[10],g=i[11],_=i[12],v=i[13],y=i[14],b=i[15];if(r[0].setComponents(c-a,f-l,g-p,b-_).normalize(),r[1].setComponents(c+a,f+l,g+p,b+_).normalize(),r[2].setComponents(c+o,f+u,g+m,b+v).normalize(),r[3].setComponents(c-o,f-u,g-m,b-v).normalize(),n)r[4].setComponents(s,d,h,y).normalize(),r[5].setComponents(c-s,f-d,g-h,b-y).normalize();else if(r[4].setComponents(c-s,f-d,g-h,b-y).normalize(),t===2e3)r[5].setComponents(c+s,f+d,g+h,b+y).normalize();else if(t===2001)r[5].setComponents(s,d,h,y).normalize();else throw Error(`THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: `+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),Iu.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),Iu.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(Iu)}intersectsSprite(e){return Iu.center.set(0,0,0),Iu.radius=.7071067811865476+Lu.distanceTo(e.center),Iu.applyMatrix4(e.matrixWorld),this.intersectsSphere(Iu)}intersectsSphere(e){let t=this.planes,n=e.center,r=-e.radius;for(let e=0;e<6;e++)if(t[e].distanceToPoint(n)<r)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let r=t[n];if(Ru.x=r.normal.x>0?e.max.x:e.min.x,Ru.y=r.normal.y>0?e.max.y:e.min.y,Ru.z=r.normal.z>0?e.max.z:e.min.z,r.distanceToPoint(Ru)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Bu=new Cc,Vu=class e{constructor(){this.coordinateSystem=Ms,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let e=0;e<t.length;e++){let r=t[e];Bu.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[e]===void 0&&(n[e]=new zu),n[e].setFromProjectionMatrix(Bu,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let r=0;r<e._count;r++)t[r]===void 0&&(t[r]=new zu),t[r].copy(n[r]);return this._count=e._count,this}clone(){return new e().copy(this)}},Hu=class extends au{constructor(e){super(),this.isPointsMaterial=!0,this.type=`PointsMaterial`,this.color=new K(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Uu=new Cc,Wu=new uu,Gu=new Gl,Ku=new U,qu=class extends Xc{constructor(e=new $l,t=new Hu){super(),this.isPoints=!0,this.type=`Points`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Points.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),Gu.copy(n.boundingSphere),Gu.applyMatrix4(r),Gu.radius+=i,e.ray.intersectsSphere(Gu)===!1)return;Uu.copy(r).invert(),Wu.copy(e.ray).applyMatrix4(Uu);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=n.index,l=n.attributes.position;if(c!==null){let n=Math.max(0,a.start),i=Math.min(c.count,a.start+a.count);for(let a=n,o=i;a<o;a++){let n=c.getX(a);Ku.fromBufferAttribute(l,n),Ju(Ku,n,s,r,e,t,this)}}else{let n=Math.max(0,a.start),i=Math.min(l.count,a.start+a.count);for(let a=n,o=i;a<o;a++)Ku.fromBufferAttribute(l,a),Ju(Ku,a,s,r,e,t,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function Ju(e,t,n,r,i,a,o){let s=Wu.distanceSqToPoint(e);if(s<n){let n=new U;Wu.closestPointToPoint(e,n),n.applyMatrix4(r);let c=i.ray.origin.distanceTo(n);if(c<i.near||c>i.far)return;a.push({distance:c,distanceToRay:Math.sqrt(s),point:n,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var Yu=class extends _c{constructor(e=[],t=301,n,r,i,a,o,s,c,l){super(e,t,n,r,i,a,o,s,c,l),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},Xu=class extends _c{constructor(e,t,n=_o,r,i,a,o=ao,s=ao,c,l=Oo,u=1){if(l!==1026&&l!==1027)throw Error(`THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat`);super({width:e,height:t,depth:u},r,i,a,o,s,l,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new pc(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Zu=class extends Xu{constructor(e,t=_o,n=301,r,i,a=ao,o=ao,s,c=Oo){let l={width:e,height:e,depth:1},u=[l,l,l,l,l,l];super(e,e,t,n,r,i,a,o,s,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Qu=class extends _c{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},$u=class e extends $l{constructor(e=1,t=1,n=1,r=1,i=1,a=1){super(),this.type=`BoxGeometry`,this.parameters={width:e,height:t,depth:n,widthSegments:r,heightSegments:i,depthSegments:a};let o=this;r=Math.floor(r),i=Math.floor(i),a=Math.floor(a);let s=[],c=[],l=[],u=[],d=0,f=0;p(`z`,`y`,`x`,-1,-1,n,t,e,a,i,0),p(`z`,`y`,`x`,1,-1,n,t,-e,a,i,1),p(`x`,`z`,`y`,1,1,e,n,t,r,a,2),p(`x`,`z`,`y`,1,-1,e,n,-t,r,a,3),p(`x`,`y`,`z`,1,-1,e,t,n,r,i,4),p(`x`,`y`,`z`,-1,-1,e,t,-n,r,i,5),this.setIndex(s),this.setAttribute(`position`,new Vl(c,3)),this.setAttribute(`normal`,new Vl(l,3)),this.setAttribute(`uv`,new Vl(u,2));function p(e,t,n,r,i,a,p,m,h,g,_){let v=a/h,y=p/g,b=a/2,x=p/2,S=m/2,C=h+1,w=g+1,T=0,E=0,D=new U;for(let a=0;a<w;a++){let o=a*y-x;for(let s=0;s<C;s++)D[e]=(s*v-b)*r,D[t]=o*i,D[n]=S,c.push(D.x,D.y,D.z),D[e]=0,D[t]=0,D[n]=m>0?1:-1,l.push(D.x,D.y,D.z),u.push(s/h),u.push(1-a/g),T+=1}for(let e=0;e<g;e++)for(let t=0;t<h;t++){let n=d+t+C*e,r=d+t+C*(e+1),i=d+(t+1)+C*(e+1),a=d+(t+1)+C*e;s.push(n,r,a),s.push(r,i,a),E+=6}o.addGroup(f,E,_),f+=E,d+=T}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},ed=class e extends $l{constructor(e=1,t=1,n=1,r=1){super(),this.type=`PlaneGeometry`,this.parameters={width:e,height:t,widthSegments:n,heightSegments:r};let i=e/2,a=t/2,o=Math.floor(n),s=Math.floor(r),c=o+1,l=s+1,u=e/o,d=t/s,f=[],p=[],m=[],h=[];for(let e=0;e<l;e++){let t=e*d-a;for(let n=0;n<c;n++){let r=n*u-i;p.push(r,-t,0),m.push(0,0,1),h.push(n/o),h.push(1-e/s)}}for(let e=0;e<s;e++)for(let t=0;t<o;t++){let n=t+c*e,r=t+c*(e+1),i=t+1+c*(e+1),a=t+1+c*e;f.push(n,r,a),f.push(r,i,a)}this.setIndex(f),this.setAttribute(`position`,new Vl(p,3)),this.setAttribute(`normal`,new Vl(m,3)),this.setAttribute(`uv`,new Vl(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.widthSegments,t.heightSegments)}};function td(e){let t={};for(let n in e){t[n]={};for(let r in e[n]){let i=e[n][r];if(rd(i))i.isRenderTargetTexture?(B(`UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms().`),t[n][r]=null):t[n][r]=i.clone();else if(Array.isArray(i)){if(rd(i[0])){let e=[];for(let t=0,n=i.length;t<n;t++)e[t]=i[t].clone();t[n][r]=e}else t[n][r]=i.slice()}else t[n][r]=i}}return t}function nd(e){let t={};for(let n=0;n<e.length;n++){let r=td(e[n]);for(let e in r)t[e]=r[e]}return t}function rd(e){return e&&(e.isColor||e.isMatrix3||e.isMatrix4||e.isVector2||e.isVector3||e.isVector4||e.isTexture||e.isQuaternion)}function id(e){let t=[];for(let n=0;n<e.length;n++)t.push(e[n].clone());return t}function ad(e){let t=e.getRenderTarget();return t===null?e.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:G.workingColorSpace}var od={clone:td,merge:nd},sd=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,cd=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,ld=class extends au{constructor(e){super(),this.isShaderMaterial=!0,this.type=`ShaderMaterial`,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=sd,this.fragmentShader=cd,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=td(e.uniforms),this.uniformsGroups=id(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let n in this.uniforms){let r=this.uniforms[n].value;r&&r.isTexture?t.uniforms[n]={type:`t`,value:r.toJSON(e).uuid}:r&&r.isColor?t.uniforms[n]={type:`c`,value:r.getHex()}:r&&r.isVector2?t.uniforms[n]={type:`v2`,value:r.toArray()}:r&&r.isVector3?t.uniforms[n]={type:`v3`,value:r.toArray()}:r&&r.isVector4?t.uniforms[n]={type:`v4`,value:r.toArray()}:r&&r.isMatrix3?t.uniforms[n]={type:`m3`,value:r.toArray()}:r&&r.isMatrix4?t.uniforms[n]={type:`m4`,value:r.toArray()}:t.uniforms[n]={value:r}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let e in this.extensions)this.extensions[e]===!0&&(n[e]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let r=e.uniforms[n];switch(this.uniforms[n]={},r.type){case`t`:this.uniforms[n].value=t[r.value]||null;break;case`c`:this.uniforms[n].value=new K().setHex(r.value);break;case`v2`:this.uniforms[n].value=new ec().fromArray(r.value);break;case`v3`:this.uniforms[n].value=new U().fromArray(r.value);break;case`v4`:this.uniforms[n].value=new vc().fromArray(r.value);break;case`m3`:this.uniforms[n].value=new W().fromArray(r.value);break;case`m4`:this.uniforms[n].value=new Cc().fromArray(r.value);break;default:this.uniforms[n].value=r.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let t in e.extensions)this.extensions[t]=e.extensions[t];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},ud=class extends ld{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type=`RawShaderMaterial`}},dd=class extends au{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type=`MeshDepthMaterial`,this.depthPacking=ws,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},fd=class extends au{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type=`MeshDistanceMaterial`,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function pd(e,t){return!e||e.constructor===t?e:typeof t.BYTES_PER_ELEMENT==`number`?new t(e):Array.prototype.slice.call(e)}function md(e){return e!==void 0&&e.inTangents!==void 0&&e.outTangents!==void 0}var hd=class{constructor(e,t,n,r){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=r===void 0?new t.constructor(n):r,this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,r=t[n],i=t[n-1];validate_interval:{seek:{let a;linear_scan:{forward_scan:if(!(e<r)){for(let a=n+2;;){if(r===void 0){if(e<i)break forward_scan;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(i=r,r=t[++n],e<r)break seek}a=t.length;break linear_scan}if(!(e>=i)){let o=t[1];e<o&&(n=2,i=o);for(let a=n-2;;){if(i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===a)break;if(r=i,i=t[--n-1],e>=i)break seek}a=n,n=0;break linear_scan}break validate_interval}for(;n<a;){let r=n+a>>>1;e<t[r]?a=r:n=r+1}if(r=t[n],i=t[n-1],i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(r===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,i,r)}return this.interpolate_(n,i,e,r)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,r=this.valueSize,i=e*r;for(let e=0;e!==r;++e)t[e]=n[i+e];return t}interpolate_(){throw Error(`THREE.Interpolant: Call to abstract method.`)}intervalChanged_(){}},gd=class extends hd{constructor(e,t,n,r){super(e,t,n,r),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:xs,endingEnd:xs}}intervalChanged_(e,t,n){let r=this.parameterPositions,i=e-2,a=e+1,o=r[i],s=r[a];if(o===void 0)switch(this.getSettings_().endingStart){case Ss:i=e,o=2*t-n;break;case Cs:i=r.length-2,o=t+r[i]-r[i+1];break;default:i=e,o=n}if(s===void 0)switch(this.getSettings_().endingEnd){case Ss:a=e,s=2*n-t;break;case Cs:a=1,s=n+r[1]-r[0];break;default:a=e-1,s=t}let c=(n-t)*.5,l=this.valueSize;this._weightPrev=c/(t-o),this._weightNext=c/(s-n),this._offsetPrev=i*l,this._offsetNext=a*l}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(n-t)/(r-t),m=p*p,h=m*p,g=-d*h+2*d*m-d*p,_=(1+d)*h+(-1.5-2*d)*m+(-.5+d)*p+1,v=(-1-f)*h+(1.5+f)*m+.5*p,y=f*h-f*m;for(let e=0;e!==o;++e)i[e]=g*a[l+e]+_*a[c+e]+v*a[s+e]+y*a[u+e];return i}},_d=class extends hd{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=(n-t)/(r-t),u=1-l;for(let e=0;e!==o;++e)i[e]=a[c+e]*u+a[s+e]*l;return i}},vd=class extends hd{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e){return this.copySampleValue_(e-1)}},yd=class extends hd{interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this.inTangents,u=this.outTangents;if(!l||!u){let e=(n-t)/(r-t),l=1-e;for(let t=0;t!==o;++t)i[t]=a[c+t]*l+a[s+t]*e;return i}let d=o*2,f=e-1;for(let p=0;p!==o;++p){let o=a[c+p],m=a[s+p],h=f*d+p*2,g=u[h],_=u[h+1],v=e*d+p*2,y=l[v],b=l[v+1],x=Sd(n,t,g,y,r);i[p]=bd(x,o,_,b,m)}return i}};function bd(e,t,n,r,i){let a=1-e;return a*a*a*t+3*a*a*e*n+3*a*e*e*r+e*e*e*i}function xd(e,t,n,r,i){let a=1-e;return 3*a*a*(n-t)+6*a*e*(r-n)+3*e*e*(i-r)}function Sd(e,t,n,r,i){let a=(e-t)/(i-t);for(let o=0;o<8;o++){let o=bd(a,t,n,r,i)-e;if(Math.abs(o)<1e-10)break;let s=xd(a,t,n,r,i);if(Math.abs(s)<1e-10)break;a=Math.max(0,Math.min(1,a-o/s))}return a}var Cd=class{constructor(e,t,n,r){if(e===void 0)throw Error(`THREE.KeyframeTrack: track name is undefined`);if(t===void 0||t.length===0)throw Error(`THREE.KeyframeTrack: no keyframes in track named `+e);this.name=e,this.times=pd(t,this.TimeBufferType),this.values=pd(n,this.ValueBufferType),this.setInterpolation(r||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:pd(e.times,Array),values:pd(e.values,Array)};let t=e.getInterpolation();t!==e.DefaultInterpolation&&(n.interpolation=t),md(e.settings)&&(n.settings={inTangents:pd(e.settings.inTangents,Array),outTangents:pd(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new vd(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new _d(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new gd(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new yd(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case _s:t=this.InterpolantFactoryMethodDiscrete;break;case vs:t=this.InterpolantFactoryMethodLinear;break;case ys:t=this.InterpolantFactoryMethodSmooth;break;case bs:t=this.InterpolantFactoryMethodBezier}if(t===void 0){let t=`unsupported interpolation for `+this.ValueTypeName+` keyframe track named `+this.name;if(this.createInterpolant===void 0){if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw Error(t)}return B(`KeyframeTrack:`,t),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return _s;case this.InterpolantFactoryMethodLinear:return vs;case this.InterpolantFactoryMethodSmooth:return ys;case this.InterpolantFactoryMethodBezier:return bs}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]+=e;md(this.settings)&&(wd(this.settings.inTangents,e),wd(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]*=e;md(this.settings)&&(Td(this.settings.inTangents,e),Td(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,r=n.length,i=0,a=r-1;for(;i!==r&&n[i]<e;)++i;for(;a!==-1&&n[a]>t;)--a;if(++a,i!==0||a!==r){i>=a&&(a=Math.max(a,1),i=a-1);let e=this.getValueSize();this.times=n.slice(i,a),this.values=this.values.slice(i*e,a*e)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(V(`KeyframeTrack: Invalid value size in track.`,this),e=!1);let n=this.times,r=this.values,i=n.length;i===0&&(V(`KeyframeTrack: Track is empty.`,this),e=!1);let a=null;for(let t=0;t!==i;t++){let r=n[t];if(typeof r==`number`&&isNaN(r)){V(`KeyframeTrack: Time is not a valid number.`,this,t,r),e=!1;break}if(a!==null&&a>r){V(`KeyframeTrack: Out of order keys.`,this,t,r,a),e=!1;break}a=r}if(r!==void 0&&Ps(r))for(let t=0,n=r.length;t!==n;++t){let n=r[t];if(isNaN(n)){V(`KeyframeTrack: Value is not a valid number.`,this,t,n),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),r=this.getInterpolation()===ys,i=e.length-1,a=1;for(let o=1;o<i;++o){let i=!1,s=e[o];if(s!==e[o+1]&&(o!==1||s!==e[0])){if(r)i=!0;else{let e=o*n,r=e-n,a=e+n;for(let o=0;o!==n;++o){let n=t[e+o];if(n!==t[r+o]||n!==t[a+o]){i=!0;break}}}}if(i){if(o!==a){e[a]=e[o];let r=o*n,i=a*n;for(let e=0;e!==n;++e)t[i+e]=t[r+e]}++a}}if(i>0){e[a]=e[i];for(let e=i*n,r=a*n,o=0;o!==n;++o)t[r+o]=t[e+o];++a}return a===e.length?(this.times=e,this.values=t):(this.times=e.slice(0,a),this.values=t.slice(0,a*n)),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,r=new n(this.name,e,t);return r.createInterpolant=this.createInterpolant,md(this.settings)&&(r.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),r}};function wd(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]+=t}function Td(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]*=t}Cd.prototype.ValueTypeName=``,Cd.prototype.TimeBufferType=Float32Array,Cd.prototype.ValueBufferType=Float32Array,Cd.prototype.DefaultInterpolation=vs;var Ed=class extends Cd{constructor(e,t,n){super(e,t,n)}};Ed.prototype.ValueTypeName=`bool`,Ed.prototype.ValueBufferType=Array,Ed.prototype.DefaultInterpolation=_s,Ed.prototype.InterpolantFactoryMethodLinear=void 0,Ed.prototype.InterpolantFactoryMethodSmooth=void 0;var Dd=class extends Cd{constructor(e,t,n,r){super(e,t,n,r)}};Dd.prototype.ValueTypeName=`color`;var Od=class extends Cd{constructor(e,t,n,r){super(e,t,n,r)}};Od.prototype.ValueTypeName=`number`;var kd=class extends hd{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=(n-t)/(r-t),c=e*o;for(let e=c+o;c!==e;c+=4)tc.slerpFlat(i,0,a,c-o,a,c,s);return i}},Ad=class extends Cd{constructor(e,t,n,r){super(e,t,n,r)}InterpolantFactoryMethodLinear(e){return new kd(this.times,this.values,this.getValueSize(),e)}};Ad.prototype.ValueTypeName=`quaternion`,Ad.prototype.InterpolantFactoryMethodSmooth=void 0;var jd=class extends Cd{constructor(e,t,n){super(e,t,n)}};jd.prototype.ValueTypeName=`string`,jd.prototype.ValueBufferType=Array,jd.prototype.DefaultInterpolation=_s,jd.prototype.InterpolantFactoryMethodLinear=void 0,jd.prototype.InterpolantFactoryMethodSmooth=void 0;var Md=class extends Cd{constructor(e,t,n,r){super(e,t,n,r)}};Md.prototype.ValueTypeName=`vector`;var Nd=new U,Pd=new tc,Fd=new U,Id=class extends Xc{constructor(){super(),this.isCamera=!0,this.type=`Camera`,this.matrixWorldInverse=new Cc,this.projectionMatrix=new Cc,this.projectionMatrixInverse=new Cc,this.coordinateSystem=Ms,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(Nd,Pd,Fd),Fd.x===1&&Fd.y===1&&Fd.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nd,Pd,Fd.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(Nd,Pd,Fd),Fd.x===1&&Fd.y===1&&Fd.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Nd,Pd,Fd.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Ld=new U,Rd=new ec,zd=new ec,Bd=class extends Id{constructor(e=50,t=1,n=.1,r=2e3){super(),this.isPerspectiveCamera=!0,this.type=`PerspectiveCamera`,this.fov=e,this.zoom=1,this.near=n,this.far=r,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Ks*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Gs*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Ks*2*Math.atan(Math.tan(Gs*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){Ld.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(Ld.x,Ld.y).multiplyScalar(-e/Ld.z),Ld.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Ld.x,Ld.y).multiplyScalar(-e/Ld.z)}getViewSize(e,t){return this.getViewBounds(e,Rd,zd),t.subVectors(zd,Rd)}setViewOffset(e,t,n,r,i,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Gs*.5*this.fov)/this.zoom,n=2*t,r=this.aspect*n,i=-.5*r,a=this.view;if(this.view!==null&&this.view.enabled){let e=a.fullWidth,o=a.fullHeight;i+=a.offsetX*r/e,t-=a.offsetY*n/o,r*=a.width/e,n*=a.height/o}let o=this.filmOffset;o!==0&&(i+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(i,i+r,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}},Vd=class extends Id{constructor(e=-1,t=1,n=1,r=-1,i=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type=`OrthographicCamera`,this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=r,this.near=i,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,r,i,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,r=(this.top+this.bottom)/2,i=n-e,a=n+e,o=r+t,s=r-t;if(this.view!==null&&this.view.enabled){let e=(this.right-this.left)/this.view.fullWidth/this.zoom,t=(this.top-this.bottom)/this.view.fullHeight/this.zoom;i+=e*this.view.offsetX,a=i+e*this.view.width,o-=t*this.view.offsetY,s=o-t*this.view.height}this.projectionMatrix.makeOrthographic(i,a,o,s,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},Hd=-90,Ud=1,Wd=class extends Xc{constructor(e,t,n){super(),this.type=`CubeCamera`,this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let r=new Bd(Hd,Ud,e,t);r.layers=this.layers,this.add(r);let i=new Bd(Hd,Ud,e,t);i.layers=this.layers,this.add(i);let a=new Bd(Hd,Ud,e,t);a.layers=this.layers,this.add(a);let o=new Bd(Hd,Ud,e,t);o.layers=this.layers,this.add(o);let s=new Bd(Hd,Ud,e,t);s.layers=this.layers,this.add(s);let c=new Bd(Hd,Ud,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,r,i,a,o,s]=t;for(let e of t)this.remove(e);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),r.up.set(0,1,0),r.lookAt(-1,0,0),i.up.set(0,0,-1),i.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),s.up.set(0,1,0),s.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),r.up.set(0,-1,0),r.lookAt(1,0,0),i.up.set(0,0,1),i.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),s.up.set(0,-1,0),s.lookAt(0,0,-1);else throw Error(`THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: `+e);for(let e of t)this.add(e),e.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:r}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[i,a,o,s,c,l]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let m=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let h=!1;h=e.isWebGLRenderer===!0?e.state.buffers.depth.getReversed():e.reversedDepthBuffer,e.setRenderTarget(n,0,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,i),e.setRenderTarget(n,1,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,s),e.setRenderTarget(n,4,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=m,e.setRenderTarget(n,5,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(u,d,f),e.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},Gd=class extends Bd{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},Kd=`\\[\\]\\.:\\/`,qd=RegExp(`[\\[\\]\\.:\\/]`,`g`),Jd=`[^\\[\\]\\.:\\/]`,Yd=`[^`+Kd.replace(`\\.`,``)+`]`,Xd=`((?:WC+[\\/:])*)`.replace(`WC`,Jd),Zd=`(WCOD+)?`.replace(`WCOD`,Yd),Qd=`(?:\\.(WC+)(?:\\[(.+)\\])?)?`.replace(`WC`,Jd),$d=`\\.(WC+)(?:\\[(.+)\\])?`.replace(`WC`,Jd),ef=RegExp(`^`+Xd+Zd+Qd+$d+`$`),tf=[`material`,`materials`,`bones`,`map`],nf=class{constructor(e,t,n){let r=n||rf.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,r)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,r=this._bindings[n];r!==void 0&&r.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let r=this._targetGroup.nCachedObjects_,i=n.length;r!==i;++r)n[r].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},rf=class e{constructor(t,n,r){this.path=n,this.parsedPath=r||e.parseTrackName(n),this.node=e.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,n,r){return t&&t.isAnimationObjectGroup?new e.Composite(t,n,r):new e(t,n,r)}static sanitizeNodeName(e){return e.replace(/\s/g,`_`).replace(qd,``)}static parseTrackName(e){let t=ef.exec(e);if(t===null)throw Error(`THREE.PropertyBinding: Cannot parse trackName: `+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},r=n.nodeName&&n.nodeName.lastIndexOf(`.`);if(r!==void 0&&r!==-1){let e=n.nodeName.substring(r+1);tf.indexOf(e)!==-1&&(n.nodeName=n.nodeName.substring(0,r),n.objectName=e)}if(n.propertyName===null||n.propertyName.length===0)throw Error(`THREE.PropertyBinding: can not parse propertyName from trackName: `+e);return n}static findNode(e,t){if(t===void 0||t===``||t===`.`||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(e){for(let r=0;r<e.length;r++){let i=e[r];if(i.name===t||i.uuid===t)return i;let a=n(i.children);if(a)return a}return null},r=n(e.children);if(r)return r}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)e[t++]=n[r]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let t=this.node,n=this.parsedPath,r=n.objectName,i=n.propertyName,a=n.propertyIndex;if(t||(t=e.findNode(this.rootNode,n.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){B(`PropertyBinding: No target node found for track: `+this.path+`.`);return}if(r){let e=n.objectIndex;switch(r){case`materials`:if(!t.material){V(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.materials){V(`PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.`,this);return}t=t.material.materials;break;case`bones`:if(!t.skeleton){V(`PropertyBinding: Can not bind to bones as node does not have a skeleton.`,this);return}t=t.skeleton.bones;for(let n=0;n<t.length;n++)if(t[n].name===e){e=n;break}break;case`map`:if(`map`in t){t=t.map;break}if(!t.material){V(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.map){V(`PropertyBinding: Can not bind to material.map as node.material does not have a map.`,this);return}t=t.material.map;break;default:if(t[r]===void 0){V(`PropertyBinding: Can not bind to objectName of node undefined.`,this);return}t=t[r]}if(e!==void 0){if(t[e]===void 0){V(`PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.`,this,t);return}t=t[e]}}let o=t[i];if(o===void 0){let e=n.nodeName;V(`PropertyBinding: Trying to update property for track: `+e+`.`+i+` but it wasn't found.`,t);return}let s=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?s=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(s=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(a!==void 0){if(i===`morphTargetInfluences`){if(!t.geometry){V(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.`,this);return}if(!t.geometry.morphAttributes){V(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.`,this);return}t.morphTargetDictionary[a]!==void 0&&(a=t.morphTargetDictionary[a])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=a}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][s]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};rf.Composite=nf,rf.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3},rf.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2},rf.prototype.GetterByBindingType=[rf.prototype._getValue_direct,rf.prototype._getValue_array,rf.prototype._getValue_arrayElement,rf.prototype._getValue_toArray],rf.prototype.SetterByBindingTypeAndVersioning=[[rf.prototype._setValue_direct,rf.prototype._setValue_direct_setNeedsUpdate,rf.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[rf.prototype._setValue_array,rf.prototype._setValue_array_setNeedsUpdate,rf.prototype._setValue_array_setMatrixWorldNeedsUpdate],[rf.prototype._setValue_arrayElement,rf.prototype._setValue_arrayElement_setNeedsUpdate,rf.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[rf.prototype._setValue_fromArray,rf.prototype._setValue_fromArray_setNeedsUpdate,rf.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]],class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,r){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,r)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,r){let i=this.elements;return i[0]=e,i[2]=t,i[1]=n,i[3]=r,this}};function af(e,t,n,r){let i=of(r);switch(n){case To:return e*t;case Ao:return e*t/i.components*i.byteLength;case jo:return e*t/i.components*i.byteLength;case Mo:return e*t*2/i.components*i.byteLength;case No:return e*t*2/i.components*i.byteLength;case Eo:return e*t*3/i.components*i.byteLength;case Do:return e*t*4/i.components*i.byteLength;case Po:return e*t*4/i.components*i.byteLength;case Fo:case Io:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Lo:case Ro:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Bo:case Ho:return Math.max(e,16)*Math.max(t,8)/4;case zo:case Vo:return Math.max(e,8)*Math.max(t,8)/2;case Uo:case Wo:case Ko:case qo:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Go:case Jo:case Yo:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Xo:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Zo:return Math.floor((e+4)/5)*Math.floor((t+3)/4)*16;case Qo:return Math.floor((e+4)/5)*Math.floor((t+4)/5)*16;case $o:return Math.floor((e+5)/6)*Math.floor((t+4)/5)*16;case es:return Math.floor((e+5)/6)*Math.floor((t+5)/6)*16;case ts:return Math.floor((e+7)/8)*Math.floor((t+4)/5)*16;case ns:return Math.floor((e+7)/8)*Math.floor((t+5)/6)*16;case rs:return Math.floor((e+7)/8)*Math.floor((t+7)/8)*16;case is:return Math.floor((e+9)/10)*Math.floor((t+4)/5)*16;case as:return Math.floor((e+9)/10)*Math.floor((t+5)/6)*16;case os:return Math.floor((e+9)/10)*Math.floor((t+7)/8)*16;case ss:return Math.floor((e+9)/10)*Math.floor((t+9)/10)*16;case cs:return Math.floor((e+11)/12)*Math.floor((t+9)/10)*16;case ls:return Math.floor((e+11)/12)*Math.floor((t+11)/12)*16;case us:case ds:case fs:return Math.ceil(e/4)*Math.ceil(t/4)*16;case ps:case ms:return Math.ceil(e/4)*Math.ceil(t/4)*8;case hs:case gs:return Math.ceil(e/4)*Math.ceil(t/4)*16}throw Error(`Unable to determine texture byte length for ${n} format.`)}function of(e){switch(e){case fo:case po:return{byteLength:1,components:1};case ho:case mo:case yo:return{byteLength:2,components:1};case bo:case xo:return{byteLength:2,components:4};case _o:case go:case vo:return{byteLength:4,components:1};case Co:case wo:return{byteLength:4,components:3}}throw Error(`THREE.TextureUtils: Unknown texture type ${e}.`)}typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`register`,{detail:{revision:`187`}})),typeof window<`u`&&(window.__THREE__?B(`WARNING: Multiple instances of Three.js being imported.`):window.__THREE__=`187`);function sf(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function cf(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var q={alphahash_fragment:`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,alphahash_pars_fragment:`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,alphamap_fragment:`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,alphamap_pars_fragment:`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,alphatest_fragment:`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,alphatest_pars_fragment:`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,aomap_fragment:`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,aomap_pars_fragment:`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,batching_pars_vertex:`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,batching_vertex:`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,begin_vertex:`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,beginnormal_vertex:`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,bsdfs:`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,iridescence_fragment:`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,bumpmap_pars_fragment:`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,clipping_planes_fragment:`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,clipping_planes_pars_fragment:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,clipping_planes_pars_vertex:`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,clipping_planes_vertex:`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,color_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,color_pars_fragment:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,color_pars_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,color_vertex:`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,common:`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,defaultnormal_vertex:`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,displacementmap_pars_vertex:`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,displacementmap_vertex:`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,emissivemap_fragment:`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,emissivemap_pars_fragment:`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,colorspace_fragment:`gl_FragColor = linearToOutputTexel( gl_FragColor );`,colorspace_pars_fragment:`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,envmap_fragment:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,envmap_common_pars_fragment:`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,envmap_pars_fragment:`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,envmap_pars_vertex:`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,envmap_physical_pars_fragment:`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,envmap_vertex:`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,fog_vertex:`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,fog_pars_vertex:`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,fog_fragment:`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,fog_pars_fragment:`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,gradientmap_pars_fragment:`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,lightmap_pars_fragment:`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,lights_lambert_fragment:`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,lights_lambert_pars_fragment:`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,lights_pars_begin:`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,lights_toon_fragment:`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,lights_toon_pars_fragment:`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lights_phong_fragment:`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,lights_phong_pars_fragment:`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,lights_physical_fragment:`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,lights_physical_pars_fragment:`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,lights_fragment_begin:`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,lights_fragment_maps:`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,lights_fragment_end:`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,lightprobes_pars_fragment:`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,logdepthbuf_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,logdepthbuf_pars_fragment:`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_pars_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,logdepthbuf_vertex:`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,map_fragment:`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,map_pars_fragment:`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,map_particle_fragment:`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,map_particle_pars_fragment:`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,metalnessmap_fragment:`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,metalnessmap_pars_fragment:`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,morphinstance_vertex:`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,morphcolor_vertex:`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,morphnormal_vertex:`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,morphtarget_pars_vertex:`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,morphtarget_vertex:`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,normal_fragment_begin:`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,normal_fragment_maps:`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,normal_pars_fragment:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_pars_vertex:`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,normal_vertex:`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,normalmap_pars_fragment:`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,clearcoat_normal_fragment_begin:`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,clearcoat_normal_fragment_maps:`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,clearcoat_pars_fragment:`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iridescence_pars_fragment:`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,opaque_fragment:`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,packing:`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,premultiplied_alpha_fragment:`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,project_vertex:`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,dithering_fragment:`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,dithering_pars_fragment:`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,roughnessmap_fragment:`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,roughnessmap_pars_fragment:`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,shadowmap_pars_fragment:`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,shadowmap_pars_vertex:`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,shadowmap_vertex:`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,shadowmask_pars_fragment:`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,skinbase_vertex:`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,skinning_pars_vertex:`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,skinning_vertex:`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,skinnormal_vertex:`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,specularmap_fragment:`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,specularmap_pars_fragment:`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,tonemapping_fragment:`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,tonemapping_pars_fragment:`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,transmission_fragment:`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,transmission_pars_fragment:`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,uv_pars_fragment:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_pars_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uv_vertex:`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,worldpos_vertex:`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,background_vert:`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,background_frag:`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,backgroundCube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,backgroundCube_frag:`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,cube_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,cube_frag:`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,depth_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,depth_frag:`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,distance_vert:`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,distance_frag:`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,equirect_vert:`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,equirect_frag:`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,linedashed_vert:`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,linedashed_frag:`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,meshbasic_vert:`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,meshbasic_frag:`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshlambert_vert:`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshlambert_frag:`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshmatcap_vert:`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,meshmatcap_frag:`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshnormal_vert:`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,meshnormal_frag:`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,meshphong_vert:`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshphong_frag:`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshphysical_vert:`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,meshphysical_frag:`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,meshtoon_vert:`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,meshtoon_frag:`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,points_vert:`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,points_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,shadow_vert:`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,shadow_frag:`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,sprite_vert:`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,sprite_frag:`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`},J={common:{diffuse:{value:new K(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new W},alphaMap:{value:null},alphaMapTransform:{value:new W},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new W}},envmap:{envMap:{value:null},envMapRotation:{value:new W},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new W}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new W}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new W},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new W},normalScale:{value:new ec(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new W},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new W}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new W}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new W}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new K(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new K(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new W},alphaTest:{value:0},uvTransform:{value:new W}},sprite:{diffuse:{value:new K(16777215)},opacity:{value:1},center:{value:new ec(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new W},alphaMap:{value:null},alphaMapTransform:{value:new W},alphaTest:{value:0}}},lf={basic:{uniforms:nd([J.common,J.specularmap,J.envmap,J.aomap,J.lightmap,J.fog]),vertexShader:q.meshbasic_vert,fragmentShader:q.meshbasic_frag},lambert:{uniforms:nd([J.common,J.specularmap,J.envmap,J.aomap,J.lightmap,J.emissivemap,J.bumpmap,J.normalmap,J.displacementmap,J.fog,J.lights,{emissive:{value:new K(0)},envMapIntensity:{value:1}}]),vertexShader:q.meshlambert_vert,fragmentShader:q.meshlambert_frag},phong:{uniforms:nd([J.common,J.specularmap,J.envmap,J.aomap,J.lightmap,J.emissivemap,J.bumpmap,J.normalmap,J.displacementmap,J.fog,J.lights,{emissive:{value:new K(0)},specular:{value:new K(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:q.meshphong_vert,fragmentShader:q.meshphong_frag},standard:{uniforms:nd([J.common,J.envmap,J.aomap,J.lightmap,J.emissivemap,J.bumpmap,J.normalmap,J.displacementmap,J.roughnessmap,J.metalnessmap,J.fog,J.lights,{emissive:{value:new K(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:q.meshphysical_vert,fragmentShader:q.meshphysical_frag},toon:{uniforms:nd([J.common,J.aomap,J.lightmap,J.emissivemap,J.bumpmap,J.normalmap,J.displacementmap,J.gradientmap,J.fog,J.lights,{emissive:{value:new K(0)}}]),vertexShader:q.meshtoon_vert,fragmentShader:q.meshtoon_frag},matcap:{uniforms:nd([J.common,J.bumpmap,J.normalmap,J.displacementmap,J.fog,{matcap:{value:null}}]),vertexShader:q.meshmatcap_vert,fragmentShader:q.meshmatcap_frag},points:{uniforms:nd([J.points,J.fog]),vertexShader:q.points_vert,fragmentShader:q.points_frag},dashed:{uniforms:nd([J.common,J.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:q.linedashed_vert,fragmentShader:q.linedashed_frag},depth:{uniforms:nd([J.common,J.displacementmap]),vertexShader:q.depth_vert,fragmentShader:q.depth_frag},normal:{uniforms:nd([J.common,J.bumpmap,J.normalmap,J.displacementmap,{opacity:{value:1}}]),vertexShader:q.meshnormal_vert,fragmentShader:q.meshnormal_frag},sprite:{uniforms:nd([J.sprite,J.fog]),vertexShader:q.sprite_vert,fragmentShader:q.sprite_frag},background:{uniforms:{uvTransform:{value:new W},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:q.background_vert,fragmentShader:q.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new W}},vertexShader:q.backgroundCube_vert,fragmentShader:q.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:q.cube_vert,fragmentShader:q.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:q.equirect_vert,fragmentShader:q.equirect_frag},distance:{uniforms:nd([J.common,J.displacementmap,{referencePosition:{value:new U},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:q.distance_vert,fragmentShader:q.distance_frag},shadow:{uniforms:nd([J.lights,J.fog,{color:{value:new K(0)},opacity:{value:1}}]),vertexShader:q.shadow_vert,fragmentShader:q.shadow_frag}};lf.physical={uniforms:nd([lf.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new W},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new W},clearcoatNormalScale:{value:new ec(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new W},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new W},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new W},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new W},sheen:{value:0},sheenColor:{value:new K(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new W},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new W},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new W},transmissionSamplerSize:{value:new ec},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new W},attenuationDistance:{value:0},attenuationColor:{value:new K(0)},specularColor:{value:new K(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new W},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new W},anisotropyVector:{value:new ec},anisotropyMap:{value:null},anisotropyMapTransform:{value:new W}}]),vertexShader:q.meshphysical_vert,fragmentShader:q.meshphysical_frag};var uf={r:0,b:0,g:0},df=new Cc,ff=new W;ff.set(-1,0,0,0,1,0,0,0,1);function pf(e,t,n,r,i,a){let o=new K(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new Cu(new $u(1,1,1),new ld({name:`BackgroundCubeMaterial`,uniforms:td(lf.backgroundCube.uniforms),vertexShader:lf.backgroundCube.vertexShader,fragmentShader:lf.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(df.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(ff),l.material.toneMapped=G.getTransfer(i.colorSpace)!==Os,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new Cu(new ed(2,2),new ld({name:`BackgroundMaterial`,uniforms:td(lf.background.uniforms),vertexShader:lf.background.vertexShader,fragmentShader:lf.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=G.getTransfer(i.colorSpace)!==Os,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(uf,ad(e)),n.buffers.color.setClear(uf.r,uf.g,uf.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function mf(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function hf(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function gf(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(B(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&B(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&B(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function _f(e){let t=this,n=null,r=0,i=!1,a=!1,o=new ru,s=new W,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var vf=class extends bc{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new Yu(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},r=new $u(5,5,5),i=new ld({name:`CubemapFromEquirect`,uniforms:td(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new Cu(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=co),new Wd(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},yf=256,bf=3,xf=20,Sf=256,Cf=16,wf=3,Tf=new U,Ef=new K,Df=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Wd(1,10,null),this._boxMesh=new Cu(new $u(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=Tf}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(Ef));let h=new Wd(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Pf(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=Nf(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(yf,Xs(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?yf:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Of(e,!1,!1),n=Math.log2(e)-bf;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Of(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=Pf()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=Nf()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=Af(),this._integrationMaterial=jf());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/Cf);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-wf)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(Sf*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=Mf());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function Of(e,t,n){return new vf(e,{minFilter:uo,generateMipmaps:t,type:yo,colorSpace:Es,depthBuffer:n})}function kf(e,t,n){return new ld({name:e,uniforms:t,vertexShader:q.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function Af(){return kf(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Sf}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function jf(){return kf(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:Cf}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function Mf(){return kf(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${xf}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function Nf(){return kf(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Pf(){return kf(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function Ff(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new vf(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new Df(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new Df(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function If(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&Bs(`WebGLRenderer: `+e+` extension not supported.`),t}}}function Lf(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?Bl:zl)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function Rf(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function zf(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:V(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function Bf(e,t,n){let r=new WeakMap,i=new vc;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],p=0;e===!0&&(p=1),n===!0&&(p=2),a===!0&&(p=3);let m=o.attributes.position.count*p,h=1;m>t.maxTextureSize&&(h=Math.ceil(m/t.maxTextureSize),m=t.maxTextureSize);let g=new Float32Array(m*h*4*u),_=new xc(g,m,h,u);_.type=vo,_.needsUpdate=!0;let v=p*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=m*h*4*t;for(let t=0;t<r.count;t++){let s=t*v;e===!0&&(i.fromBufferAttribute(r,t),g[d+s+0]=i.x,g[d+s+1]=i.y,g[d+s+2]=i.z,g[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),g[d+s+4]=i.x,g[d+s+5]=i.y,g[d+s+6]=i.z,g[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),g[d+s+8]=i.x,g[d+s+9]=i.y,g[d+s+10]=i.z,g[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:_,size:new ec(m,h)},r.set(o,d);function f(){_.dispose(),r.delete(o),o.removeEventListener(`dispose`,f)}o.addEventListener(`dispose`,f)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function Vf(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var Hf={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function Uf(e,t,n,r,i,a){let o=new bc(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new $l;u.setAttribute(`position`,new Vl([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new Vl([0,2,0,0,2,0],2));let d=new ud({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),f=new Cu(u,d),p=new Vd(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new bc(t,n,{type:yo,depthBuffer:!1,stencilBuffer:!1}),c=new bc(t,n,{type:yo,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new Xu(t,n),a===!0&&(l.format=ko,l.type=So)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},G.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=Hf[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var Wf=new _c,Gf=new Xu(1,1),Kf=new Zu(1),qf=new xc,Jf=new Sc,Yf=new Yu,Xf=[],Zf=[],Qf=new Float32Array(16),$f=new Float32Array(9),ep=new Float32Array(4);function tp(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=Xf[i];if(a===void 0&&(a=new Float32Array(i),Xf[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function np(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function rp(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function ip(e,t){let n=Zf[t];n===void 0&&(n=new Int32Array(t),Zf[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function ap(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function op(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(np(n,t))return;e.uniform2fv(this.addr,t),rp(n,t)}}function sp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if(np(n,t))return;e.uniform3fv(this.addr,t),rp(n,t)}}function cp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(np(n,t))return;e.uniform4fv(this.addr,t),rp(n,t)}}function lp(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(np(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),rp(n,t)}else{if(np(n,r))return;ep.set(r),e.uniformMatrix2fv(this.addr,!1,ep),rp(n,r)}}function up(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(np(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),rp(n,t)}else{if(np(n,r))return;$f.set(r),e.uniformMatrix3fv(this.addr,!1,$f),rp(n,r)}}function dp(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(np(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),rp(n,t)}else{if(np(n,r))return;Qf.set(r),e.uniformMatrix4fv(this.addr,!1,Qf),rp(n,r)}}function fp(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function pp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(np(n,t))return;e.uniform2iv(this.addr,t),rp(n,t)}}function mp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(np(n,t))return;e.uniform3iv(this.addr,t),rp(n,t)}}function hp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(np(n,t))return;e.uniform4iv(this.addr,t),rp(n,t)}}function gp(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function _p(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(np(n,t))return;e.uniform2uiv(this.addr,t),rp(n,t)}}function vp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(np(n,t))return;e.uniform3uiv(this.addr,t),rp(n,t)}}function yp(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(np(n,t))return;e.uniform4uiv(this.addr,t),rp(n,t)}}function bp(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function xp(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?bp(Gf):Wf,n.setTexture2D(t||a,i)}function Sp(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||Jf,i)}function Cp(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?bp(Kf):Yf,n.setTextureCube(t||a,i)}function wp(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||qf,i)}function Tp(e){switch(e){case 5126:return ap;case 35664:return op;case 35665:return sp;case 35666:return cp;case 35674:return lp;case 35675:return up;case 35676:return dp;case 5124:case 35670:return fp;case 35667:case 35671:return pp;case 35668:case 35672:return mp;case 35669:case 35673:return hp;case 5125:return gp;case 36294:return _p;case 36295:return vp;case 36296:return yp;case 35678:case 36198:case 36298:case 36306:case 35682:return xp;case 35679:case 36299:case 36307:return Sp;case 35680:case 36300:case 36308:case 36293:return Cp;case 36289:case 36303:case 36311:case 36292:return wp}}function Ep(e,t){e.uniform1fv(this.addr,t)}function Dp(e,t){let n=tp(t,this.size,2);e.uniform2fv(this.addr,n)}function Op(e,t){let n=tp(t,this.size,3);e.uniform3fv(this.addr,n)}function kp(e,t){let n=tp(t,this.size,4);e.uniform4fv(this.addr,n)}function Ap(e,t){let n=tp(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function jp(e,t){let n=tp(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function Mp(e,t){let n=tp(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function Np(e,t){e.uniform1iv(this.addr,t)}function Pp(e,t){e.uniform2iv(this.addr,t)}function Fp(e,t){e.uniform3iv(this.addr,t)}function Ip(e,t){e.uniform4iv(this.addr,t)}function Lp(e,t){e.uniform1uiv(this.addr,t)}function Rp(e,t){e.uniform2uiv(this.addr,t)}function zp(e,t){e.uniform3uiv(this.addr,t)}function Bp(e,t){e.uniform4uiv(this.addr,t)}function Vp(e,t,n){let r=this.cache,i=t.length,a=ip(n,i);np(r,a)||(e.uniform1iv(this.addr,a),rp(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?bp(Gf):Wf;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function Hp(e,t,n){let r=this.cache,i=t.length,a=ip(n,i);np(r,a)||(e.uniform1iv(this.addr,a),rp(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||Jf,a[e])}function Up(e,t,n){let r=this.cache,i=t.length,a=ip(n,i);np(r,a)||(e.uniform1iv(this.addr,a),rp(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?bp(Kf):Yf;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function Wp(e,t,n){let r=this.cache,i=t.length,a=ip(n,i);np(r,a)||(e.uniform1iv(this.addr,a),rp(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||qf,a[e])}function Gp(e){switch(e){case 5126:return Ep;case 35664:return Dp;case 35665:return Op;case 35666:return kp;case 35674:return Ap;case 35675:return jp;case 35676:return Mp;case 5124:case 35670:return Np;case 35667:case 35671:return Pp;case 35668:case 35672:return Fp;case 35669:case 35673:return Ip;case 5125:return Lp;case 36294:return Rp;case 36295:return zp;case 36296:return Bp;case 35678:case 36198:case 36298:case 36306:case 35682:return Vp;case 35679:case 36299:case 36307:return Hp;case 35680:case 36300:case 36308:case 36293:return Up;case 36289:case 36303:case 36311:case 36292:return Wp}}var Kp=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=Tp(t.type)}},qp=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=Gp(t.type)}},Jp=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},Yp=/(\w+)(\])?(\[|\.)?/g;function Xp(e,t){e.seq.push(t),e.map[t.id]=t}function Zp(e,t,n){let r=e.name,i=r.length;for(Yp.lastIndex=0;;){let a=Yp.exec(r),o=Yp.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){Xp(n,l===void 0?new Kp(s,e,t):new qp(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new Jp(s),Xp(n,e)),n=e}}}var Qp=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);Zp(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function $p(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var em=37297,tm=0;function nm(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var rm=new W;function im(e){G._getMatrix(rm,G.workingColorSpace,e);let t=`mat3( ${rm.elements.map(e=>e.toFixed(4))} )`;switch(G.getTransfer(e)){case Ds:return[t,`LinearTransferOETF`];case Os:return[t,`sRGBTransferOETF`];default:return B(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function am(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+nm(e.getShaderSource(t),r)}return i}function om(e,t){let n=im(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var sm={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function cm(e,t){let n=sm[t];return n===void 0?(B(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var lm=new U;function um(){return G.getLuminanceCoefficients(lm),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${lm.x.toFixed(4)}, ${lm.y.toFixed(4)}, ${lm.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function dm(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter(mm).join(`
`)}function fm(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function pm(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function mm(e){return e!==``}function hm(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function gm(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var _m=/^[ \t]*#include +<([\w\d./]+)>/gm;function vm(e){return e.replace(_m,ym)}function ym(e,t){let n=q[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return vm(n)}var bm=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function xm(e){return e.replace(bm,Sm)}function Sm(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function Cm(e){let t=`precision ${e.precision} float;
	precision ${e.precision} int;
	precision ${e.precision} sampler2D;
	precision ${e.precision} samplerCube;
	precision ${e.precision} sampler3D;
	precision ${e.precision} sampler2DArray;
	precision ${e.precision} sampler2DShadow;
	precision ${e.precision} samplerCubeShadow;
	precision ${e.precision} sampler2DArrayShadow;
	precision ${e.precision} isampler2D;
	precision ${e.precision} isampler3D;
	precision ${e.precision} isamplerCube;
	precision ${e.precision} isampler2DArray;
	precision ${e.precision} usampler2D;
	precision ${e.precision} usampler3D;
	precision ${e.precision} usamplerCube;
	precision ${e.precision} usampler2DArray;
	`;return e.precision===`highp`?t+=`
#define HIGH_PRECISION`:e.precision===`mediump`?t+=`
#define MEDIUM_PRECISION`:e.precision===`lowp`&&(t+=`
#define LOW_PRECISION`),t}var wm={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function Tm(e){return wm[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var Em={302:`ENVMAP_MODE_REFRACTION`};function Dm(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:Em[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var Om={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function km(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:Om[e.combine]||`ENVMAP_BLENDING_NONE`}function Am(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=Tm(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=Dm(n),d=km(n),f=dm(n),p=fm(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(mm).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter(mm).join(`
`),g.length>0&&(g+=`
`)):(h=[Cm(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter(mm).join(`
`),g=[Cm(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:q.tonemapping_pars_fragment,n.toneMapping===0?``:cm(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,q.colorspace_pars_fragment,om(`linearToOutputTexel`,n.outputColorSpace),um(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter(mm).join(`
`)),o=vm(o),o=hm(o,n),o=gm(o,n),s=vm(s),s=hm(s,n),s=gm(s,n),o=xm(o),s=xm(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=$p(i,i.VERTEX_SHADER,v),x=$p(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=am(i,b,`vertex`),n=am(i,x,`fragment`);V(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):B(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new Qp(i,m),w=pm(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,em)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=tm++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var jm=0,Mm=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new Nm(e),t.set(e,n)),n}},Nm=class{constructor(e){this.id=jm++,this.code=e,this.usedTimes=0}};function Pm(e){return e===1030||e===37490||e===36285}function Fm(e,t,n,r,i,a){let o=new Pc,s=new Mm,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&B(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=lf[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),ee=m.isInstancedMesh===!0,M=m.isBatchedMesh===!0,te=!!i.map,ne=!!i.matcap,re=!!b,ie=re&&b.isPMREMTexture===!0,ae=!!i.aoMap,oe=!!i.lightMap,se=!!i.bumpMap&&i.wireframe===!1,ce=!!i.normalMap,le=!!i.displacementMap,ue=!!i.emissiveMap,de=!!i.metalnessMap,fe=!!i.roughnessMap,pe=i.anisotropy>0,me=i.clearcoat>0,he=i.diffuseRoughness>0,ge=i.dispersion>0,_e=i.retroreflectivity>0,ve=i.iridescence>0,ye=i.sheen>0,be=i.transmission>0,xe=pe&&!!i.anisotropyMap,Se=me&&!!i.clearcoatMap,Ce=me&&!!i.clearcoatNormalMap,we=me&&!!i.clearcoatRoughnessMap,Te=he&&!!i.diffuseRoughnessMap,N=ve&&!!i.iridescenceMap,Ee=ve&&!!i.iridescenceThicknessMap,De=ye&&!!i.sheenColorMap,Oe=ye&&!!i.sheenRoughnessMap,P=!!i.specularMap,ke=!!i.specularColorMap,F=!!i.specularIntensityMap,I=be&&!!i.transmissionMap,Ae=be&&!!i.thicknessMap,je=!!i.gradientMap,Me=!!i.alphaMap,Ne=i.alphaTest>0,Pe=!!i.alphaHash,Fe=!!i.extensions,Ie=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(Ie=e.toneMapping);let Le=ie?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,Re={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:M,batchingColor:M&&m._colorsTexture!==null,instancing:ee,instancingColor:ee&&m.instanceColor!==null,instancingMorph:ee&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:G.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:te,matcap:ne,envMap:re,envMapMode:re&&b.mapping,envMapPMREM:ie,envMapMaxLod:ie?Le.length-1:null,envMapSize:ie?Le[0].width:null,aoMap:ae,lightMap:oe,bumpMap:se,normalMap:ce,displacementMap:le,emissiveMap:ue,normalMapObjectSpace:ce&&i.normalMapType===1,normalMapTangentSpace:ce&&i.normalMapType===0,packedNormalMap:ce&&i.normalMapType===0&&Pm(i.normalMap.format),metalnessMap:de,roughnessMap:fe,anisotropy:pe,anisotropyMap:xe,clearcoat:me,clearcoatMap:Se,clearcoatNormalMap:Ce,clearcoatRoughnessMap:we,diffuseRoughness:he,diffuseRoughnessMap:Te,dispersion:ge,retroreflection:_e,iridescence:ve,iridescenceMap:N,iridescenceThicknessMap:Ee,sheen:ye,sheenColorMap:De,sheenRoughnessMap:Oe,specularMap:P,specularColorMap:ke,specularIntensityMap:F,transmission:be,transmissionMap:I,thicknessMap:Ae,gradientMap:je,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:Me,alphaTest:Ne,alphaHash:Pe,combine:i.combine,mapUv:te&&p(i.map.channel),aoMapUv:ae&&p(i.aoMap.channel),lightMapUv:oe&&p(i.lightMap.channel),bumpMapUv:se&&p(i.bumpMap.channel),normalMapUv:ce&&p(i.normalMap.channel),displacementMapUv:le&&p(i.displacementMap.channel),emissiveMapUv:ue&&p(i.emissiveMap.channel),metalnessMapUv:de&&p(i.metalnessMap.channel),roughnessMapUv:fe&&p(i.roughnessMap.channel),anisotropyMapUv:xe&&p(i.anisotropyMap.channel),clearcoatMapUv:Se&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:Ce&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:we&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:Te&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:N&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:Ee&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:De&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:Oe&&p(i.sheenRoughnessMap.channel),specularMapUv:P&&p(i.specularMap.channel),specularColorMapUv:ke&&p(i.specularColorMap.channel),specularIntensityMapUv:F&&p(i.specularIntensityMap.channel),transmissionMapUv:I&&p(i.transmissionMap.channel),thicknessMapUv:Ae&&p(i.thicknessMap.channel),alphaMapUv:Me&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ce||pe),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(te||Me),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ce===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:Ie,decodeVideoTexture:te&&i.map.isVideoTexture===!0&&G.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:ue&&i.emissiveMap.isVideoTexture===!0&&G.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:Fe&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(Fe&&i.extensions.multiDraw===!0||M)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return Re.vertexUv1s=c.has(1),Re.vertexUv2s=c.has(2),Re.vertexUv3s=c.has(3),c.clear(),Re}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=lf[t];n=od.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new Am(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function Im(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function Lm(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Rm(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function zm(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||Lm),r.length>1&&r.sort(t||Rm),i.length>1&&i.sort(t||Rm)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function Bm(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new zm,e.set(t,[i])):n>=r.length?(i=new zm,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function Vm(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new U,color:new K};break;case`SpotLight`:n={position:new U,direction:new U,color:new K,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new U,color:new K,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new U,skyColor:new K,groundColor:new K};break;case`RectAreaLight`:n={color:new K,position:new U,halfWidth:new U,halfHeight:new U}}return e[t.id]=n,n}}}function Hm(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ec};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ec};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ec,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var Um=0;function Wm(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function Gm(e){let t=new Vm,n=Hm(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new U);let i=new U,a=new Cc,o=new Cc;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(Wm);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=J.LTC_FLOAT_1,r.rectAreaLTC2=J.LTC_FLOAT_2):(r.rectAreaLTC1=J.LTC_HALF_1,r.rectAreaLTC2=J.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=Um++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function Km(e){let t=new Gm(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function qm(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new Km(e),t.set(n,[a])):r>=i.length?(a=new Km(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var Jm=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Ym=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,Xm=[new U(1,0,0),new U(-1,0,0),new U(0,1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1)],Zm=[new U(0,-1,0),new U(0,-1,0),new U(0,0,1),new U(0,0,-1),new U(0,-1,0),new U(0,-1,0)],Qm=new Cc,$m=new U,eh=new U;function th(e,t,n){let r=new zu,i=new ec,a=new ec,o=new vc,s=new dd,c=new fd,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new ld({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ec},radius:{value:4}},vertexShader:Jm,fragmentShader:Ym}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new $l;m.setAttribute(`position`,new Rl(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new Cu(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(B(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){B(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){B(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new bc(i.x,i.y,{format:Mo,type:yo,minFilter:co,magFilter:co,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new Xu(i.x,i.y,vo),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=Oo,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=ao,d.map.depthTexture.magFilter=ao}else l.isPointLight?(d.map=new vf(i.x),d.map.depthTexture=new Zu(i.x,_o)):(d.map=new bc(i.x,i.y),d.map.depthTexture=new Xu(i.x,i.y,_o)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=Oo,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=co,d.map.depthTexture.magFilter=co):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=ao,d.map.depthTexture.magFilter=ao);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),$m.setFromMatrixPosition(l.matrixWorld),e.position.copy($m),eh.copy(e.position),eh.add(Xm[t]),e.up.copy(Zm[t]),e.lookAt(eh),e.updateMatrixWorld(),n.makeTranslation(-$m.x,-$m.y,-$m.z),Qm.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(Qm,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new bc(i.x,i.y,{format:Mo,type:yo}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function nh(e,t){function n(){let t=!1,n=new vc,r=null,i=new vc(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?de(e.DEPTH_TEST):fe(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Hs[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?de(e.STENCIL_TEST):fe(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new K(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,ee=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),M=!1,te=0,ne=e.getParameter(e.VERSION);ne.indexOf(`WebGL`)===-1?ne.indexOf(`OpenGL ES`)!==-1&&(te=parseFloat(/^OpenGL ES (\d)/.exec(ne)[1]),M=te>=2):(te=parseFloat(/^WebGL (\d)/.exec(ne)[1]),M=te>=1);let re=null,ie={},ae=e.getParameter(e.SCISSOR_BOX),oe=e.getParameter(e.VIEWPORT),se=new vc().fromArray(ae),ce=new vc().fromArray(oe);function le(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let ue={};ue[e.TEXTURE_2D]=le(e.TEXTURE_2D,e.TEXTURE_2D,1),ue[e.TEXTURE_CUBE_MAP]=le(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),ue[e.TEXTURE_2D_ARRAY]=le(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),ue[e.TEXTURE_3D]=le(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),de(e.DEPTH_TEST),o.setFunc(3),be(!1),xe(1),de(e.CULL_FACE),ve(0);function de(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function fe(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function pe(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function me(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function he(t){return h!==t&&(e.useProgram(t),h=t,!0)}let ge={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};ge[103]=e.MIN,ge[104]=e.MAX;let _e={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function ve(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(fe(e.BLEND),g=!1);else if(g===!1&&(de(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:V(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:V(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:V(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:V(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(ge[n],ge[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(_e[r],_e[i],_e[o],_e[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function ye(t,n){t.side===2?fe(e.CULL_FACE):de(e.CULL_FACE);let r=t.side===1;n&&(r=!r),be(r),t.blending===1&&t.transparent===!1?ve(0):ve(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),Ce(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?de(e.SAMPLE_ALPHA_TO_COVERAGE):fe(e.SAMPLE_ALPHA_TO_COVERAGE)}function be(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function xe(t){t===0?fe(e.CULL_FACE):(de(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function Se(t){t!==k&&(M&&e.lineWidth(t),k=t)}function Ce(t,n,r){t?(de(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):fe(e.POLYGON_OFFSET_FILL)}function we(t){t?de(e.SCISSOR_TEST):fe(e.SCISSOR_TEST)}function Te(t){t===void 0&&(t=e.TEXTURE0+ee-1),re!==t&&(e.activeTexture(t),re=t)}function N(t,n,r){r===void 0&&(r=re===null?e.TEXTURE0+ee-1:re);let i=ie[r];i===void 0&&(i={type:void 0,texture:void 0},ie[r]=i),(i.type!==t||i.texture!==n)&&(re!==r&&(e.activeTexture(r),re=r),e.bindTexture(t,n||ue[t]),i.type=t,i.texture=n)}function Ee(){let t=ie[re];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function De(){try{e.compressedTexImage2D(...arguments)}catch(e){V(`WebGLState:`,e)}}function Oe(){try{e.compressedTexImage3D(...arguments)}catch(e){V(`WebGLState:`,e)}}function P(){try{e.texSubImage2D(...arguments)}catch(e){V(`WebGLState:`,e)}}function ke(){try{e.texSubImage3D(...arguments)}catch(e){V(`WebGLState:`,e)}}function F(){try{e.compressedTexSubImage2D(...arguments)}catch(e){V(`WebGLState:`,e)}}function I(){try{e.compressedTexSubImage3D(...arguments)}catch(e){V(`WebGLState:`,e)}}function Ae(){try{e.texStorage2D(...arguments)}catch(e){V(`WebGLState:`,e)}}function je(){try{e.texStorage3D(...arguments)}catch(e){V(`WebGLState:`,e)}}function Me(){try{e.texImage2D(...arguments)}catch(e){V(`WebGLState:`,e)}}function Ne(){try{e.texImage3D(...arguments)}catch(e){V(`WebGLState:`,e)}}function Pe(t){return d[t]===void 0?e.getParameter(t):d[t]}function Fe(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function Ie(t){se.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),se.copy(t))}function Le(t){ce.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),ce.copy(t))}function Re(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function ze(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function Be(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},re=null,ie={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new K(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,se.set(0,0,e.canvas.width,e.canvas.height),ce.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:de,disable:fe,bindFramebuffer:pe,drawBuffers:me,useProgram:he,setBlending:ve,setMaterial:ye,setFlipSided:be,setCullFace:xe,setLineWidth:Se,setPolygonOffset:Ce,setScissorTest:we,activeTexture:Te,bindTexture:N,unbindTexture:Ee,compressedTexImage2D:De,compressedTexImage3D:Oe,texImage2D:Me,texImage3D:Ne,pixelStorei:Fe,getParameter:Pe,updateUBOMapping:Re,uniformBlockBinding:ze,texStorage2D:Ae,texStorage3D:je,texSubImage2D:P,texSubImage3D:ke,compressedTexSubImage2D:F,compressedTexSubImage3D:I,scissor:Ie,viewport:Le,reset:Be}}function rh(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new ec,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):Fs(`canvas`)}function v(e,t,n){let r=1,i=Ae(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),B(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&B(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function S(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];B(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||B(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?Ds:G.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function C(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,B(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function w(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function T(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function E(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function D(e){k(e.target)}function O(e){A(e.target)}function k(e){e.removeEventListener(`dispose`,D),E(e),ee(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function A(e){e.removeEventListener(`dispose`,O),E(e),te(e)}function j(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?A(t):k(t))}m.clear(),d.clear()}function ee(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&M(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function M(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function te(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&k(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let ne=0;function re(){ne=0}function ie(){return ne}function ae(e){ne=e}function oe(){let e=ne;return e>=i.maxTextures&&B(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),ne+=1,e}function se(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function ce(t,i){let a=r.get(t);if(t.isVideoTexture&&F(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)B(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)B(`WebGLRenderer: Texture marked for update but image is incomplete`);else{ye(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function le(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ye(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function ue(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ye(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function de(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?be(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let fe={[no]:e.REPEAT,[ro]:e.CLAMP_TO_EDGE,[io]:e.MIRRORED_REPEAT},pe={[ao]:e.NEAREST,[oo]:e.NEAREST_MIPMAP_NEAREST,[so]:e.NEAREST_MIPMAP_LINEAR,[co]:e.LINEAR,[lo]:e.LINEAR_MIPMAP_NEAREST,[uo]:e.LINEAR_MIPMAP_LINEAR},me={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function he(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&B(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,fe[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,fe[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,fe[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,pe[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,pe[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,me[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function ge(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,D),T(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=se(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&M(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function _e(e,t,n){return Math.floor(Math.floor(e/n)/t)}function ve(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=_e(n.start,r.width,4),c=_e(t.start,r.width,4);n.start<=i+1&&a===c&&_e(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function ye(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=ge(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=G.getPrimaries(G.workingColorSpace),r=o.colorSpace===``?null:G.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=I(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=S(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);he(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,T=u.dataReady,E=w(o,t);if(o.isDepthTexture)m=C(o.format===ko,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height),T&&ve(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(T){if(o.layerUpdates.size>0){let t=af(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else B(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?T&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?B(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?T&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,t.width,t.height,t.depth),T){if(o.layerUpdates.size>0){let i=af(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,E,m,t.width,t.height,t.depth),T&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<E;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=Ae(g[0]);n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=Ae(t);n.texStorage2D(e.TEXTURE_2D,E,m,r.width,r.height)}T&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function be(t,o,s){if(o.image.length!==6)return;let c=ge(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=G.getPrimaries(G.workingColorSpace),r=o.colorSpace===``?null:G.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=I(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=S(o.internalFormat,g,_,o.normalized,o.colorSpace),T=o.isVideoTexture!==!0,E=u.__version===void 0||c===!0,D=l.dataReady,O=w(o,h);he(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=C(o.format===ko,o.type),E){if(T)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){T&&E&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?B(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):T?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,T&&E){k.length>0&&O++;let t=Ae(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function xe(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=S(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),ke(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,P(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function Se(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=C(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;ke(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,P(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,P(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=S(o.internalFormat,c,l,o.normalized,o.colorSpace);ke(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,P(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,P(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function Ce(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;(!c.__webglTexture||l.width!==i.width||l.height!==i.height)&&(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?de(i.depthTexture,0):ce(i.depthTexture,0);let u=c.__webglTexture,d=P(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)ke(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)ke(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function we(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)Ce(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?Ce(i.__webglFramebuffer[0],t,0):Ce(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),Se(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),Se(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function Te(t,n,i){let a=r.get(t);n!==void 0&&xe(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&we(t)}function N(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,O),T(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&ke(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=S(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=P(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),Se(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),he(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)xe(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else xe(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),he(c,a),xe(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),he(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)xe(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else xe(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&we(t)}function Ee(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let De=[];function Oe(t){if(t.samples>0){if(ke(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(De.length=0,De.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&De.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,De))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function P(e){return Math.min(i.maxSamples,e.samples)}function ke(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function F(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function I(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&(G.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&B(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):V(`WebGLTextures: Unsupported texture color space:`,n)),t}function Ae(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=oe,this.resetTextureUnits=re,this.getTextureUnits=ie,this.setTextureUnits=ae,this.setTexture2D=ce,this.setTexture2DArray=le,this.setTexture3D=ue,this.setTextureCube=de,this.rebindTextures=Te,this.setupRenderTarget=N,this.updateRenderTargetMipmap=Ee,this.updateMultisampleRenderTarget=Oe,this.setupDepthRenderbuffer=we,this.setupFrameBufferTexture=xe,this.useMultisampledRTT=ke,this.dispose=j}function ih(e,t){function n(n,r=``){let i,a=G.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var ah=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,oh=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,sh=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Qu(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new ld({vertexShader:ah,fragmentShader:oh,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new Cu(new ed(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},ch=class extends Us{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new sh,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new ec,C=null,w=null,T=new Bd;T.viewport=new vc;let E=new Bd;E.viewport=new vc;let D=[T,E],O=new Gd,k=null,A=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new $c,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new $c,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new $c,b[e]=t),t.getHandSpace()};function j(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function ee(){r.removeEventListener(`select`,j),r.removeEventListener(`selectstart`,j),r.removeEventListener(`selectend`,j),r.removeEventListener(`squeeze`,j),r.removeEventListener(`squeezestart`,j),r.removeEventListener(`squeezeend`,j),r.removeEventListener(`end`,ee),r.removeEventListener(`inputsourceschange`,M);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,A=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,ae.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&B(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&B(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,j),r.addEventListener(`selectstart`,j),r.addEventListener(`selectend`,j),r.addEventListener(`squeeze`,j),r.addEventListener(`squeezestart`,j),r.addEventListener(`squeezeend`,j),r.addEventListener(`end`,ee),r.addEventListener(`inputsourceschange`,M),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?ko:Oo,a=_.stencil?So:_o);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new bc(d.textureWidth,d.textureHeight,{format:Do,type:fo,depthTexture:new Xu(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new bc(f.framebufferWidth,f.framebufferHeight,{format:Do,type:fo,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),ae.setContext(r),ae.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function M(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function te(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||A!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,A=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;te(O,i);for(let e=0;e<a.length;e++)te(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),ne(e,O,i)};function ne(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=Ks*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let re=null;function ie(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new Bd,o.layers.enable(n),o.viewport=new vc,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new Qu,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}re&&re(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let ae=new sf;ae.setAnimationLoop(ie),this.setAnimationLoop=function(e){re=e},this.dispose=function(){}}},lh=new Cc,uh=new W;uh.set(-1,0,0,0,1,0,0,0,1);function dh(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,ad(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(lh.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(uh),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function fh(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?B(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):B(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var ph=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),mh=null;function hh(){return mh===null&&(mh=new Eu(ph,16,16,Mo,yo),mh.name=`DFG_LUT`,mh.minFilter=co,mh.magFilter=co,mh.wrapS=ro,mh.wrapT=ro,mh.generateMipmaps=!1,mh.needsUpdate=!0),mh}var gh=class{constructor(e={}){let{canvas:t=Is(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=fo}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([Po,No,jo]),g=new Set([fo,_o,ho,So,bo,xo]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let T=this,E=!1,D=null,O=null,k=null,A=null;this._outputColorSpace=Ts;let j=0,ee=0,M=null,te=-1,ne=null,re=new vc,ie=new vc,ae=null,oe=new K(0),se=0,ce=t.width,le=t.height,ue=1,de=null,fe=null,pe=new vc(0,0,ce,le),me=new vc(0,0,ce,le),he=!1,ge=new zu,_e=new Vu,ve=!1,ye=!1,be=new Cc,xe=new U,Se=new vc,Ce={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},we=!1;function Te(){return M===null?ue:1}let N=n;function Ee(e,n){return t.getContext(e,n)}let De,Oe,P,ke,F,I,Ae,je,Me,Ne,Pe,Fe,Ie,Le,Re,ze,Be,Ve,He,Ue,We,Ge,Ke;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,Ye,!1),t.addEventListener(`webglcontextrestored`,Xe,!1),t.addEventListener(`webglcontextcreationerror`,Ze,!1),N===null){let t=`webgl2`;if(N=Ee(t,e),N===null)throw Ee(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}qe()}catch(e){throw t.removeEventListener(`webglcontextlost`,Ye,!1),t.removeEventListener(`webglcontextrestored`,Xe,!1),t.removeEventListener(`webglcontextcreationerror`,Ze,!1),V(`WebGLRenderer: `+e.message),e}function qe(){De=new If(N),De.init(),We=new ih(N,De),Oe=new gf(N,De,e,We),P=new nh(N,De),Oe.reversedDepthBuffer&&d&&P.buffers.depth.setReversed(!0),O=N.createFramebuffer(),k=N.createFramebuffer(),A=N.createFramebuffer(),ke=new zf(N),F=new Im,I=new rh(N,De,P,F,Oe,We,ke),Ae=new Ff(T),je=new cf(N),Ge=new mf(N,je),Me=new Lf(N,je,ke,Ge),Ne=new Vf(N,Me,je,Ge,ke),Ve=new Bf(N,Oe,I),Re=new _f(F),Pe=new Fm(T,Ae,De,Oe,Ge,Re),Fe=new dh(T,F),Ie=new Bm,Le=new qm(De),Be=new pf(T,Ae,P,Ne,p,s),ze=new th(T,Ne,Oe),Ke=new fh(N,ke,Oe,P),He=new hf(N,De,ke),Ue=new Rf(N,De,ke),ke.programs=Pe.programs,T.capabilities=Oe,T.extensions=De,T.properties=F,T.renderLists=Ie,T.shadowMap=ze,T.state=P,T.info=ke}m!==1009&&(w=new Uf(m,t.width,t.height,o,r,i));let Je=new ch(T,N);this.xr=Je,this.getContext=function(){return N},this.getContextAttributes=function(){return N.getContextAttributes()},this.forceContextLoss=function(){let e=De.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=De.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return ue},this.setPixelRatio=function(e){e!==void 0&&(ue=e,this.setSize(ce,le,!1))},this.getSize=function(e){return e.set(ce,le)},this.setSize=function(e,n,r=!0){Je.isPresenting?B(`WebGLRenderer: Can't change size while VR device is presenting.`):(ce=e,le=n,t.width=Math.floor(e*ue),t.height=Math.floor(n*ue),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(ce*ue,le*ue).floor()},this.setDrawingBufferSize=function(e,n,r){ce=e,le=n,ue=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)V(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){B(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(re)},this.getViewport=function(e){return e.copy(pe)},this.setViewport=function(e,t,n,r){e.isVector4?pe.set(e.x,e.y,e.z,e.w):pe.set(e,t,n,r),P.viewport(re.copy(pe).multiplyScalar(Te()).round())},this.getScissor=function(e){return e.copy(me)},this.setScissor=function(e,t,n,r){e.isVector4?me.set(e.x,e.y,e.z,e.w):me.set(e,t,n,r),P.scissor(ie.copy(me).multiplyScalar(Te()).round())},this.getScissorTest=function(){return he},this.setScissorTest=function(e){P.setScissorTest(he=e)},this.setOpaqueSort=function(e){de=e},this.setTransparentSort=function(e){fe=e},this.getClearColor=function(e){return e.copy(Be.getClearColor())},this.setClearColor=function(){Be.setClearColor(...arguments)},this.getClearAlpha=function(){return Be.getClearAlpha()},this.setClearAlpha=function(){Be.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(M!==null){let t=M.texture.format;e=h.has(t)}if(e){let e=M.texture.type,t=g.has(e),n=Be.getClearColor(),r=Be.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,N.clearBufferuiv(N.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,N.clearBufferiv(N.COLOR,0,v))}else r|=N.COLOR_BUFFER_BIT}t&&(r|=N.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=N.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&N.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),D=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,Ye,!1),t.removeEventListener(`webglcontextrestored`,Xe,!1),t.removeEventListener(`webglcontextcreationerror`,Ze,!1),Be.dispose(),Ie.dispose(),Le.dispose(),I.dispose(),F.dispose(),Ae.dispose(),Ne.dispose(),Me.dispose(),Ge.dispose(),Ke.dispose(),Pe.dispose(),Je.dispose(),Je.removeEventListener(`sessionstart`,it),Je.removeEventListener(`sessionend`,at),ot.stop()};function Ye(e){e.preventDefault(),Rs(`WebGLRenderer: Context Lost.`),E=!0}function Xe(){Rs(`WebGLRenderer: Context Restored.`),E=!1;let e=ke.autoReset,t=ze.enabled,n=ze.autoUpdate,r=ze.needsUpdate,i=ze.type;qe(),ke.autoReset=e,ze.enabled=t,ze.autoUpdate=n,ze.needsUpdate=r,ze.type=i}function Ze(e){V(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function Qe(e){let t=e.target;t.removeEventListener(`dispose`,Qe),$e(t)}function $e(e){et(e),F.remove(e)}function et(e){let t=F.get(e).programs;t!==void 0&&(t.forEach(function(e){Pe.releaseProgram(e)}),e.isShaderMaterial&&Pe.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=Ce);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=gt(e,t,n,r,i);P.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=Me.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;Ge.setup(i,r,s,n,c);let h,g=He;if(c!==null&&(h=je.get(c),g=Ue,g.setIndex(h)),i.isMesh)r.wireframe===!0?(P.setLineWidth(r.wireframeLinewidth*Te()),g.setMode(N.LINES)):g.setMode(N.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),P.setLineWidth(e*Te()),i.isLineSegments?g.setMode(N.LINES):i.isLineLoop?g.setMode(N.LINE_LOOP):g.setMode(N.LINE_STRIP)}else i.isPoints?g.setMode(N.POINTS):i.isSprite&&g.setMode(N.TRIANGLES);if(i.isBatchedMesh){if(De.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?je.get(c).bytesPerElement:1,o=F.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(N,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function tt(e,t,n,r){D!==null&&e.isNodeMaterial&&D.setObject(r,e),ve===!0&&Re.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,pt(e,t,r),e.side=0,e.needsUpdate=!0,pt(e,t,r),e.side=2):pt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),D!==null&&D.renderStart(e,t,n),x=Le.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),D!==null&&D.updateLights(x.state.lightsArray),ye=this.localClippingEnabled,ve=Re.init(this.clippingPlanes,ye),ve===!0&&Re.setGlobalState(this.clippingPlanes,t),D!==null&&ze.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];tt(o,n,t,e),r.add(o)}else tt(i,n,t,e),r.add(i)}}),x=C.pop(),D!==null&&D.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=F.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}De.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let nt=null;function rt(e){nt&&nt(e)}function it(){ot.stop()}function at(){ot.start()}let ot=new sf;ot.setAnimationLoop(rt),typeof self<`u`&&ot.setContext(self),this.setAnimationLoop=function(e){nt=e,Je.setAnimationLoop(e),e===null?ot.stop():ot.start()},Je.addEventListener(`sessionstart`,it),Je.addEventListener(`sessionend`,at),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){V(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(E===!0)return;D!==null&&D.renderStart(e,t);let n=Je.enabled===!0&&Je.isPresenting===!0,r=w!==null&&(M===null||n)&&w.begin(T,M);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),Je.enabled===!0&&Je.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(Je.cameraAutoUpdate===!0&&Je.updateCamera(t),t=Je.getCamera()),e.isScene===!0&&e.onBeforeRender(T,e,t,M),x=Le.get(e,C.length),x.init(t),x.state.textureUnits=I.getTextureUnits(),C.push(x),be.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?_e.setFromArrayCamera(t):ge.setFromProjectionMatrix(be,Ms,t.reversedDepth),ye=this.localClippingEnabled,ve=Re.init(this.clippingPlanes,ye),b=Ie.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,Je.enabled===!0&&Je.isPresenting===!0){let e=T.xr.getDepthSensingMesh();e!==null&&st(e,t,-1/0,T.sortObjects)}st(e,t,0,T.sortObjects),b.finish(),D!==null&&D.updateLights(x.state.lightsArray),T.sortObjects===!0&&b.sort(de,fe),we=Je.enabled===!1||Je.isPresenting===!1||Je.hasDepthSensing()===!1,we&&Be.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),ve===!0&&Re.beginShadows();let i=x.state.shadowsArray;if(ze.render(i,e,t),ve===!0&&Re.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];lt(n,r,e,a)}we&&Be.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];ct(b,e,n,n.viewport)}}else r.length>0&&lt(n,r,e,t),we&&Be.render(e),ct(b,e,t)}M!==null&&ee===0&&(I.updateMultisampleRenderTarget(M),I.updateRenderTargetMipmap(M)),r&&w.end(T),e.isScene===!0&&e.onAfterRender(T,e,t),Ge.resetDefaultState(),te=-1,ne=null,C.pop(),C.length>0?(x=C[C.length-1],I.setTextureUnits(x.state.textureUnits),ve===!0&&Re.setGlobalState(T.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,D!==null&&D.renderEnd()};function st(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?_e:ge;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&Se.setFromMatrixPosition(e.matrixWorld).applyMatrix4(be);let i=Ne.update(e),a=e.material;a.visible&&b.push(e,i,a,n,Se.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?_e:ge;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=Ne.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),Se.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),Se.copy(e.boundingSphere.center)),Se.applyMatrix4(e.matrixWorld).applyMatrix4(be)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,Se.z,s,t)}}else a.visible&&b.push(e,i,a,n,Se.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)st(i[e],t,n,r)}function ct(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),ve===!0&&Re.setGlobalState(T.clippingPlanes,n),r&&P.viewport(re.copy(r)),i.length>0&&ut(i,t,n),a.length>0&&ut(a,t,n),o.length>0&&ut(o,t,n),P.buffers.depth.setTest(!0),P.buffers.depth.setMask(!0),P.buffers.color.setMask(!0),P.setPolygonOffset(!1)}function lt(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=De.has(`EXT_color_buffer_half_float`)||De.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new bc(1,1,{generateMipmaps:!0,type:e?yo:fo,minFilter:uo,samples:Math.max(4,Oe.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:G.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||re;a.setSize(o.z*T.transmissionResolutionScale,o.w*T.transmissionResolutionScale);let s=T.getRenderTarget(),c=T.getActiveCubeFace(),l=T.getActiveMipmapLevel();T.setRenderTarget(a),T.getClearColor(oe),se=T.getClearAlpha(),se<1&&T.setClearColor(16777215,.5),T.clear(),we&&Be.render(n);let u=T.toneMapping;T.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),ve===!0&&Re.setGlobalState(T.clippingPlanes,r),ut(e,n,r),I.updateMultisampleRenderTarget(a),I.updateRenderTargetMipmap(a),De.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,dt(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(I.updateMultisampleRenderTarget(a),I.updateRenderTargetMipmap(a))}T.setRenderTarget(s,c,l),T.setClearColor(oe,se),d!==void 0&&(r.viewport=d),T.toneMapping=u}function ut(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&dt(o,t,n,s,l,c)}}function dt(e,t,n,r,i,a){D!==null&&i.isNodeMaterial&&D.setObject(e,i),e.onBeforeRender(T,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(T,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=2):T.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(T,t,n,r,i,a)}function ft(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function pt(e,t,n){t.isScene!==!0&&(t=Ce);let r=F.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=Pe.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=Pe.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=Ae.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,Qe),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return ht(e,s),d}else s.uniforms=Pe.getUniforms(e),D!==null&&e.isNodeMaterial&&D.build(e,n,s),e.onBeforeCompile(s,T),d=Pe.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=Re.uniform),ht(e,s),r.needsLights=vt(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=ft(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function L(e,t,n,r,i){let a=F.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=pt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function mt(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=Qp.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function ht(e,t){let n=F.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function gt(e,t,n,r,i){t.isScene!==!0&&(t=Ce),I.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=M===null?T.outputColorSpace:M.isXRRenderTarget===!0?M.texture.colorSpace:G.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=Ae.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(M===null||M.isXRRenderTarget===!0)&&(h=T.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=F.get(r),b=x.state.lights;if(ve===!0&&(ye===!0||e!==ne)){let t=e===ne&&r.id===te;Re.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==Re.numPlanes||v.numIntersection!==Re.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===ft(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?L(r,t,i,s,h):pt(r,t,i),D&&r.isNodeMaterial&&D.onUpdateProgram(r,w,v));let E=!1,O=!1,k=!1,A=w.getUniforms(),j=v.uniforms;if(P.useProgram(w.program)&&(E=!0,O=!0,k=!0),r.id!==te&&(te=r.id,O=!0),E||ne!==e){P.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),A.setValue(N,`projectionMatrix`,e.projectionMatrix),A.setValue(N,`viewMatrix`,e.matrixWorldInverse);let t=A.map.cameraPosition;t!==void 0&&t.setValue(N,xe.setFromMatrixPosition(e.matrixWorld)),Oe.logarithmicDepthBuffer&&A.setValue(N,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&A.setValue(N,`isOrthographic`,e.isOrthographicCamera===!0),ne!==e&&(ne=e,O=!0,k=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&A.setValue(N,`sunShadowMap`,b.state.sunShadowMap,I),b.state.directionalShadowMap.length>0&&A.setValue(N,`directionalShadowMap`,b.state.directionalShadowMap,I),b.state.spotShadowMap.length>0&&A.setValue(N,`spotShadowMap`,b.state.spotShadowMap,I),b.state.pointShadowMap.length>0&&A.setValue(N,`pointShadowMap`,b.state.pointShadowMap,I)),i.isSkinnedMesh){A.setOptional(N,i,`bindMatrix`),A.setOptional(N,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),A.setValue(N,`boneTexture`,e.boneTexture,I))}i.isBatchedMesh&&(A.setOptional(N,i,`batchingTexture`),A.setValue(N,`batchingTexture`,i._matricesTexture,I),A.setOptional(N,i,`batchingIdTexture`),A.setValue(N,`batchingIdTexture`,i._indirectTexture,I),A.setOptional(N,i,`batchingColorTexture`),i._colorsTexture!==null&&A.setValue(N,`batchingColorTexture`,i._colorsTexture,I));let ee=n.morphAttributes;if((ee.position!==void 0||ee.normal!==void 0||ee.color!==void 0)&&Ve.update(i,n,w),(O||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,A.setValue(N,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=hh()),O){if(A.setValue(N,`toneMappingExposure`,T.toneMappingExposure),v.needsLights&&_t(j,k),a&&r.fog===!0&&Fe.refreshFogUniforms(j,a),Fe.refreshMaterialUniforms(j,r,ue,le,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}Qp.upload(N,mt(v),j,I)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(Qp.upload(N,mt(v),j,I),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&A.setValue(N,`center`,i.center),A.setValue(N,`modelViewMatrix`,i.modelViewMatrix),A.setValue(N,`normalMatrix`,i.normalMatrix),A.setValue(N,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];Ke.update(n,w),Ke.bind(n,w)}}return w}function _t(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function vt(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return j},this.getActiveMipmapLevel=function(){return ee},this.getRenderTarget=function(){return M},this.setRenderTargetTextures=function(e,t,n){let r=F.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),F.get(e.texture).__webglTexture=t,F.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=F.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){M=e,j=t,ee=n;let r=null,i=!1,a=!1;if(e){let o=F.get(e);if(o.__useDefaultFramebuffer!==void 0){P.bindFramebuffer(N.FRAMEBUFFER,o.__webglFramebuffer),re.copy(e.viewport),ie.copy(e.scissor),ae=e.scissorTest,P.viewport(re),P.scissor(ie),P.setScissorTest(ae),te=-1;return}if(o.__webglFramebuffer===void 0)I.setupRenderTarget(e);else if(o.__hasExternalTextures)I.rebindTextures(e,F.get(e.texture).__webglTexture,F.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&F.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);I.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=F.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&I.useMultisampledRTT(e)===!1?F.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,re.copy(e.viewport),ie.copy(e.scissor),ae=e.scissorTest}else re.copy(pe).multiplyScalar(ue).floor(),ie.copy(me).multiplyScalar(ue).floor(),ae=he;if(n!==0&&(r=O),P.bindFramebuffer(N.FRAMEBUFFER,r)&&P.drawBuffers(e,r),P.viewport(re),P.scissor(ie),P.setScissorTest(ae),i){let r=F.get(e.texture);N.framebufferTexture2D(N.FRAMEBUFFER,N.COLOR_ATTACHMENT0,N.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=F.get(e.textures[t]);N.framebufferTextureLayer(N.FRAMEBUFFER,N.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=F.get(e.texture);N.framebufferTexture2D(N.FRAMEBUFFER,N.COLOR_ATTACHMENT0,N.TEXTURE_2D,t.__webglTexture,n)}te=-1};function yt(e){let t=F.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=Oe.textureFormatReadable(e.format),t.__typeReadable=Oe.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){V(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=F.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){P.bindFramebuffer(N.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&N.readBuffer(N.COLOR_ATTACHMENT0+s);let u=yt(o);if(u.__formatReadable===!1){V(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){V(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&N.readPixels(t,n,r,i,We.convert(c),We.convert(l),a)}finally{let e=M===null?null:F.get(M).__webglFramebuffer;P.bindFramebuffer(N.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=F.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){P.bindFramebuffer(N.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&N.readBuffer(N.COLOR_ATTACHMENT0+s);let d=yt(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=N.createBuffer();N.bindBuffer(N.PIXEL_PACK_BUFFER,f),N.bufferData(N.PIXEL_PACK_BUFFER,a.byteLength,N.STREAM_READ),N.readPixels(t,n,r,i,We.convert(l),We.convert(u),0),N.bindBuffer(N.PIXEL_PACK_BUFFER,null);let p=M===null?null:F.get(M).__webglFramebuffer;P.bindFramebuffer(N.FRAMEBUFFER,p);let m=N.fenceSync(N.SYNC_GPU_COMMANDS_COMPLETE,0);return N.flush(),await Vs(N,m,4),N.bindBuffer(N.PIXEL_PACK_BUFFER,f),N.getBufferSubData(N.PIXEL_PACK_BUFFER,0,a),N.bindBuffer(N.PIXEL_PACK_BUFFER,null),N.deleteBuffer(f),N.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;I.setTexture2D(e,0),N.copyTexSubImage2D(N.TEXTURE_2D,n,0,0,o,s,i,a),P.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=We.convert(t.format),_=We.convert(t.type),v;t.isData3DTexture?(I.setTexture3D(t,0),v=N.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(I.setTexture2DArray(t,0),v=N.TEXTURE_2D_ARRAY):(I.setTexture2D(t,0),v=N.TEXTURE_2D),P.activeTexture(N.TEXTURE0),P.pixelStorei(N.UNPACK_FLIP_Y_WEBGL,t.flipY),P.pixelStorei(N.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),P.pixelStorei(N.UNPACK_ALIGNMENT,t.unpackAlignment);let y=P.getParameter(N.UNPACK_ROW_LENGTH),b=P.getParameter(N.UNPACK_IMAGE_HEIGHT),x=P.getParameter(N.UNPACK_SKIP_PIXELS),S=P.getParameter(N.UNPACK_SKIP_ROWS),C=P.getParameter(N.UNPACK_SKIP_IMAGES);P.pixelStorei(N.UNPACK_ROW_LENGTH,h.width),P.pixelStorei(N.UNPACK_IMAGE_HEIGHT,h.height),P.pixelStorei(N.UNPACK_SKIP_PIXELS,l),P.pixelStorei(N.UNPACK_SKIP_ROWS,u),P.pixelStorei(N.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=F.get(e),r=F.get(t),h=F.get(n.__renderTarget),g=F.get(r.__renderTarget);P.bindFramebuffer(N.READ_FRAMEBUFFER,h.__webglFramebuffer),P.bindFramebuffer(N.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(N.framebufferTextureLayer(N.READ_FRAMEBUFFER,N.COLOR_ATTACHMENT0,F.get(e).__webglTexture,i,d+n),N.framebufferTextureLayer(N.DRAW_FRAMEBUFFER,N.COLOR_ATTACHMENT0,F.get(t).__webglTexture,a,m+n)),N.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,N.DEPTH_BUFFER_BIT,N.NEAREST);P.bindFramebuffer(N.READ_FRAMEBUFFER,null),P.bindFramebuffer(N.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||F.has(e)){let n=F.get(e),r=F.get(t);P.bindFramebuffer(N.READ_FRAMEBUFFER,k),P.bindFramebuffer(N.DRAW_FRAMEBUFFER,A);for(let e=0;e<c;e++)w?N.framebufferTextureLayer(N.READ_FRAMEBUFFER,N.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):N.framebufferTexture2D(N.READ_FRAMEBUFFER,N.COLOR_ATTACHMENT0,N.TEXTURE_2D,n.__webglTexture,i),T?N.framebufferTextureLayer(N.DRAW_FRAMEBUFFER,N.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):N.framebufferTexture2D(N.DRAW_FRAMEBUFFER,N.COLOR_ATTACHMENT0,N.TEXTURE_2D,r.__webglTexture,a),i===0?T?N.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):N.copyTexSubImage2D(v,a,f,p,l,u,o,s):N.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,N.COLOR_BUFFER_BIT,N.NEAREST);P.bindFramebuffer(N.READ_FRAMEBUFFER,null),P.bindFramebuffer(N.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?N.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?N.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):N.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?N.texSubImage2D(N.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?N.compressedTexSubImage2D(N.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):N.texSubImage2D(N.TEXTURE_2D,a,f,p,o,s,g,_,h);P.pixelStorei(N.UNPACK_ROW_LENGTH,y),P.pixelStorei(N.UNPACK_IMAGE_HEIGHT,b),P.pixelStorei(N.UNPACK_SKIP_PIXELS,x),P.pixelStorei(N.UNPACK_SKIP_ROWS,S),P.pixelStorei(N.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&N.generateMipmap(v),P.unbindTexture()},this.initRenderTarget=function(e){F.get(e).__webglFramebuffer===void 0&&I.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?I.setTextureCube(e,0):e.isData3DTexture?I.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?I.setTexture2DArray(e,0):I.setTexture2D(e,0),P.unbindTexture()},this.resetState=function(){j=0,ee=0,M=null,P.reset(),Ge.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return Ms}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=G._getDrawingBufferColorSpace(e),t.unpackColorSpace=G._getUnpackColorSpace()}};Hr();var _h=/^[a-z][a-z0-9_]{0,40}@(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6})\/\d{1,3}$/,vh=e=>_h.test(e),yh=({blueprint_id:e})=>/road|wall|lamp/.test(e),bh=(e,t)=>`${yr(Sr(e.blueprint_id))}, by ${t(e.builder)}`,xh=({low:e,high:t})=>({x:(e[0]+t[0]+1)/2,z:(e[2]+t[2]+1)/2}),Sh=(e,t,n)=>e<=n&&n<=t;function Ch(e,t,n,r){let i=({low:e,high:t})=>(t[0]-e[0]+1)*(t[1]-e[1]+1)*(t[2]-e[2]+1);return e.filter(({low:e,high:i})=>Sh(e[0],i[0],t)&&Sh(e[2],i[2],r)&&(n===null||Sh(e[1],i[1],n))).sort((e,t)=>i(e)-i(t))[0]}function wh(e,t,n){let r=(r,i)=>t.some(t=>t!==e&&t.residents.some(e=>e.id===r&&e.since_tick>i&&e.since_tick<=n));return[...new Map(e.residents.filter(e=>e.since_tick<=n).map(e=>[e.id,e])).values()].filter(({id:e,since_tick:t})=>!r(e,t))}function Th(e){try{let t=localStorage.getItem(e)===null;return localStorage.setItem(e,`1`),t}catch{return!1}}var Eh=[`land`,`buildings`,`people`,`paths`,`activity`,`events`,`works`,`things`,`heights`],Dh=[`CHEST`,`BULLETIN_BOARD`,`SIGN`,`CONTRACT_TERMINAL`,`FURNACE`];function Oh(e){let t=new URLSearchParams(e).get(`layers`)?.split(`,`);return new Set(Eh.filter(e=>t?t.includes(e):e!==`things`&&e!==`heights`))}var kh=.6,Ah=.13,jh=60;function Mh(e){let t=0;for(let n=0;n<e.length;n++)t=Math.imul(t,31)+e.charCodeAt(n)>>>0;return jh+t*.618034%1*290}function Nh(e,t=kh){let n=Mh(e)*Math.PI/180,r=Ah*Math.cos(n),i=Ah*Math.sin(n),a=(t+.3963377774*r+.2158037573*i)**3,o=(t-.1055613458*r-.0638541728*i)**3,s=(t-.0894841775*r-1.291485548*i)**3;return[4.0767416621*a-3.3077115913*o+.2309699292*s,-1.2684380046*a+2.6097574011*o-.3413193965*s,-.0041960863*a-.7034186147*o+1.707614701*s].map(e=>Math.round(255*Ph(Math.min(1,Math.max(0,e)))))}var Ph=e=>e<=.0031308?12.92*e:1.055*e**(1/2.4)-.055,Fh=([e,t,n],r=1)=>`rgb(${e} ${t} ${n} / ${r})`;function Ih(){return Rh||(Rh=matchMedia(`(prefers-color-scheme: dark)`),Rh.addEventListener(`change`,()=>{zh=new Map})),Rh.matches}function Lh(e){Ih();let t=zh.get(e);if(t===void 0){let n=document.body.appendChild(document.createElement(`i`));n.style.color=`var(${e})`,t=getComputedStyle(n).color,n.remove(),zh.set(e,t)}return t}var Rh,zh,Bh=n((()=>{Rh=null,zh=new Map}));Bh(),pe(),ve();var Vh=16,Hh=776,Uh=2e4,Wh=4,Gh=8e3,Kh=.055,qh=.2,Jh=.04,[Yh,Xh]=[17,32],Zh=3,Qh=e=>Math.floor(e/256);function $h(e,t){let n=Math.imul(e,374761393)^Math.imul(t,1440670441);return n=Math.imul(n^n>>>13,1274126177),((n^n>>>16)&65535)/65535}function eg(e,t,n,r){return 1+Math.max(-.2,Math.min(qh,(e-t)*Kh))+($h(n,r)-.5)*Jh}function tg(e,t,n){if(Math.floor(e/Zh)!==Math.floor(t/Zh)||Math.floor(e/Zh)!==Math.floor(n/Zh))return[60,40,20,210];let r=Math.max(0,Math.min(1,(e-Yh)/(Xh-Yh)));return[70+185*r,110+130*r,150+60*r,170]}function*ng(e){let t=new DataView(e.buffer,e.byteOffset,e.length);for(let n=0;n+Hh<=e.length;n+=Hh)yield[t.getInt32(n,!0),t.getInt32(n+4,!0),n+8]}var rg=class{tx;tz;block=new Uint16Array(65536);top=new Uint8Array(65536);isPainted=new Uint8Array(Vh*Vh);canvas=document.createElement(`canvas`);pen;askedAt=-1/0;drawn=null;grown=!0;constructor(e,t){this.tx=e,this.tz=t,this.canvas.width=this.canvas.height=256,this.pen=this.canvas.getContext(`2d`)}get heights(){if(this.drawn&&!this.grown)return this.drawn;this.grown=!1,this.drawn??=Object.assign(document.createElement(`canvas`),{width:256,height:256});let e=new ImageData(256,256);for(let t=0;t<this.top.length;t++)this.block[t]&&e.data.set(tg(this.top[t],this.top[t%256?t-1:t],this.top[t-256]||this.top[t]),4*t);return this.drawn.getContext(`2d`).putImageData(e,0,0),this.drawn}get blank(){return!this.isPainted.includes(1)}},ig=class{terrain;looks;tiles=new Map;drawn=new Map;dirty=new Map;square=new ImageData(16,16);asking=0;constructor(e,t){this.terrain=e,this.looks=t}update(e,t,n,r,i){for(let a=t;i!==null&&a<=r;a++)for(let t=e;t<=n;t++){let e=this.tile(t,a);i-e.askedAt>Uh&&this.asking<Wh&&this.ask(e,i)}for(let[e,t]of this.terrain.chunks)this.drawn.get(e)!==t.version&&t.surface.block[0]&&(this.drawn.set(e,t.version),this.put(t.cx,t.cz,e=>t.surface.block[e],e=>t.surface.top[e]));for(let[e,t]of this.dirty.values())this.paint(e,t);this.dirty.clear()}at(e,t){return this.tiles.get(`${e},${t}`)}column(e,t){let n=this.at(Qh(e),Qh(t)),r=(t&255)*256+(e&255);return n?.block[r]?{block:n.block[r],top:n.top[r]}:null}fixtures(e){let t=[];for(let{tx:n,tz:r,block:i,top:a}of this.tiles.values())for(let o=0;o<i.length;o++)e[i[o]]&&t.push({block:i[o],x:n*256+o%256,y:a[o],z:r*256+Math.floor(o/256)});return t}tile(e,t){let n=`${e},${t}`,r=this.tiles.get(n);if(r)return r;let i=new rg(e,t);return this.tiles.set(n,i),i}async ask(e,t){e.askedAt=t,this.asking++;try{let[t,n]=[e.tx*256,e.tz*256],r=`admin/v1/observer/surfaces?x0=${t}&z0=${n}&x1=${t+256-1}&z1=${n+256-1}`,i=await fe(r,{signal:AbortSignal.timeout(Gh)});i.ok&&this.take(new Uint8Array(await i.arrayBuffer()))}catch{}this.asking--}take(e){for(let[t,n,r]of ng(e))this.terrain.at(t,n)||this.put(t,n,t=>e[r+3*t]|e[r+3*t+1]<<8,t=>e[r+3*t+2])}put(e,t,n,r){let i=this.tile(Math.floor(e/Vh),Math.floor(t/Vh)),a=(e-i.tx*Vh)*16,o=(t-i.tz*Vh)*16,s=!1;for(let e=0;e<256;e++){let t=(o+(e>>4))*256+a+(e&15);(i.block[t]!==n(e)||i.top[t]!==r(e))&&(i.block[t]=n(e),i.top[t]=r(e),s=!0)}if(i.grown||=s,i.isPainted[o/16*Vh+a/16]=1,s)for(let[n,r]of[[0,0],[1,0],[0,1],[1,1]])this.dirty.set(`${e+n},${t+r}`,[e+n,t+r])}paint(e,t){let n=this.at(Math.floor(e/Vh),Math.floor(t/Vh));if(!n)return;let{data:r}=this.square;for(let n=0;n<256;n++){let i=e*16+(n&15),a=t*16+(n>>4),o=this.column(i,a),[s,c,l]=this.looks.top[o?.block??0]??[0,0,0],u=o?eg(o.top,this.column(i-1,a-1)?.top??o.top,i,a):0;r.set([s*u,c*u,l*u,o?255:0],4*n)}n.pen.putImageData(this.square,(e-n.tx*Vh)*16,(t-n.tz*Vh)*16)}};wa(),z(),Oi(),Hr();var ag=.768,og=60,sg=26,cg=14,lg=3,ug=2e3,dg=`system-ui, sans-serif`,fg=`"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif`,pg=(e,t,n,r,i)=>({x:e,z:t,width:r,height:i,scale:i/(ag*n)}),mg=(e,t)=>e.left<t.right&&t.left<e.right&&e.top<t.bottom&&t.top<e.bottom,hg=12,gg=64,_g=7,vg=24,yg=[];function bg(e){if(!yg[e]){let t=e/hg,n=document.createElement(`canvas`);n.width=n.height=gg;let r=n.getContext(`2d`),i=r.createRadialGradient(gg/2,gg/2,0,gg/2,gg/2,gg/2);i.addColorStop(0,`rgb(${230-40*t} ${150-90*t} 30 / ${.1+.7*t})`),i.addColorStop(1,`rgb(230 150 30 / 0)`),r.fillStyle=i,r.fillRect(0,0,gg,gg),yg[e]=n}return yg[e]}var xg=class{viewer;atlas=null;pointer=null;world=null;targets=[];fixtures=[];lookedAt=-1/0;hatch=null;frame=pg(0,0,100,1,1);constructor(e){this.viewer=e}settle(e){return(this.world!==e||!this.atlas)&&(this.world=e,this.atlas=new ig(e.terrain,e.looks),this.lookedAt=-1/0),this.atlas}draw(e,t,n,r,i){let a=this.settle(t),{viewer:o}=this,{society:s}=o;this.frame=r,this.targets=[],this.ground(e,a,r,i);let c=e=>o.layers.has(e);c(`heights`)&&this.ground(e,a,r,null),c(`activity`)&&this.activity(e,r),s&&c(`land`)&&this.lands(e,s,r),c(`buildings`)&&this.buildings(e,r),s&&c(`events`)&&this.event(e,s,r),c(`paths`)&&this.paths(e,r),this.findThings(t,i),c(`things`)&&this.things(e,t,r),s&&c(`works`)&&this.works(e,s,r),c(`people`)&&this.people(e,t.crowd.list,n,r),s&&c(`land`)&&this.landNames(e,s,r),this.scaleBar(e,r),this.position(e,t,a)}drawSmall(e,t,n,r,i,a,o){let s=this.settle(t);this.ground(e,s,r,o);let{society:c}=this.viewer;c&&this.lands(e,c,r);let l=this.screen(r,r.x,r.z);e.fillStyle=`rgb(255 255 255 / .28)`,e.beginPath();let u={x:l.x+Math.sin(i)*a*r.scale,y:l.y+Math.cos(i)*a*r.scale};e.moveTo(u.x,u.y);for(let t of[-.5,.5])e.lineTo(u.x-Math.sin(i+t)*a*2.4*r.scale,u.y-Math.cos(i+t)*a*2.4*r.scale);e.fill(),t.crowd.list.forEach((t,i)=>{(t.agent.connected||t.id===this.viewer.attention.watched)&&this.dot(e,t,this.screen(r,n[i].x,n[i].z),2.2)})}pick(e,t){let n=null,r=cg;for(let i of this.targets){let a=Math.hypot(i.x-e,i.y-t);a<r&&([n,r]=[i,a])}if(n)return n.see;let i=this.cellAt(e,t),[a,o]=[Math.floor(i.x),Math.floor(i.z)],{viewer:s}=this;return(s.layers.has(`buildings`)?Ch(s.buildings,a,null,o):void 0)?.id??oi(s.society,a,o)?.id??null}cellAt(e,t){let{frame:n}=this;return{x:n.x+(e-n.width/2)/n.scale,z:n.z+(t-n.height/2)/n.scale}}get hottest(){return Math.max(0,...this.squares().map(e=>Di.count(e,this.viewer.deed)))}counts(){let{society:e,world:t}=this.viewer,n=t?.crowd,r=(n?.list.length??0)-(n?.connected??0),i=this.viewer.deed===`refused`,a=this.squares().reduce((e,t)=>e+Di.count(t,this.viewer.deed),0),o=e?.contracts.filter(({state:e})=>e===`OPEN`||e===`ACCEPTED`).length??0;return{land:String(e?.lands.length??0),buildings:String(this.viewer.buildings.length),people:`${n?.connected??0}${r?` + ${r}`:``}`,paths:`last ${Math.round(24*Ci/(e?.day_ticks??6e3))} hours`,activity:i?`${a}, last hours`:`${a}, last day`,events:String(+!!e?.event),works:`${o} open`,things:String(this.fixtures.length),heights:`a line every 3`}}ground(e,t,n,r){let{width:i,height:a,scale:o}=n,[s,c]=[n.x-i/2/o,n.z-a/2/o],[l,u,d,f]=[Qh(s),Qh(c),Qh(s+i/o),Qh(c+a/o)];r!==null&&(t.update(l,u,d,f,this.viewer.time.isPast?null:r),e.fillStyle=this.paper(e),e.fillRect(0,0,i,a)),e.imageSmoothingEnabled=o<1;for(let n=u;n<=f;n++)for(let i=l;i<=d;i++){let a=t.at(i,n);if(!a||a.blank)continue;let l=Math.round((i*256-s)*o),u=Math.round((n*256-c)*o),d=Math.round(((i+1)*256-s)*o),f=Math.round(((n+1)*256-c)*o);e.drawImage(r===null?a.heights:a.canvas,l,u,d-l,f-u)}}paper(e){let t=Ih();if(this.hatch?.dark!==t){let n=document.createElement(`canvas`);n.width=n.height=8;let r=n.getContext(`2d`);r.fillStyle=Lh(`--well`),r.fillRect(0,0,8,8),r.strokeStyle=Lh(`--edge`),r.beginPath();for(let e of[-8,0,8])r.moveTo(e,8),r.lineTo(e+8,0);r.stroke(),this.hatch={dark:t,pattern:e.createPattern(n,`repeat`)}}return this.hatch.pattern}screen(e,t,n){return{x:e.width/2+(t-e.x)*e.scale,y:e.height/2+(n-e.z)*e.scale}}squares(){if(this.viewer.deed!==`refused`)return[...this.viewer.traces.squares.values()];let e=new Di;for(let{x:t,z:n}of this.viewer.time.book.refusals())e.square(t>>3,n>>3).mined++;return[...e.squares.values()]}activity(e,t){let n=this.squares(),r=n.map(e=>Di.count(e,this.viewer.deed)),i=Math.sqrt(Math.max(1,...r));n.forEach(({x:n,z:a},o)=>{if(!r[o])return;let s=Math.sqrt(r[o])/i,c=this.screen(t,(n+.5)*8,(a+.5)*8),l=8*t.scale*.85;c.x<-l||c.y<-l||c.x>t.width+l||c.y>t.height+l||e.drawImage(bg(Math.round(s*hg)),c.x-l,c.y-l,2*l,2*l)})}lands(e,t,n){for(let{id:r,owner:i,anchor:a,radius:o,core:s}of t.lands){let t=Nh(i),c=this.viewer.see===r||this.viewer.see===i,l=this.screen(n,a[0]-o,a[2]-o),u=(2*o+1)*n.scale;if(e.fillStyle=Fh(t,c?.2:.1),e.fillRect(l.x,l.y,u,u),e.strokeStyle=Fh(t),e.lineWidth=c?3.5:2.5,e.strokeRect(l.x,l.y,u,u),!s||s>=o)continue;let d=this.screen(n,a[0]-s,a[2]-s);e.lineWidth=1,e.setLineDash([4,4]),e.strokeRect(d.x,d.y,(2*s+1)*n.scale,(2*s+1)*n.scale),e.setLineDash([])}}buildings(e,t){let n=t.scale>=_g;for(let r of this.viewer.buildings){let{id:i,low:a,high:o}=r,s=this.screen(t,a[0],a[2]),[c,l]=[(o[0]-a[0]+1)*t.scale,(o[2]-a[2]+1)*t.scale],u=this.viewer.see===i;if(e.strokeStyle=u?Lh(`--accent`):`rgb(28 27 24 / .7)`,e.lineWidth=u?3:1,e.strokeRect(s.x,s.y,c,l),!u&&(!n||yh(r)))continue;let d=yr(Sr(r.blueprint_id));e.font=`600 11px ${dg}`,!(!u&&e.measureText(d).width>c+vg)&&(e.lineWidth=3,e.strokeStyle=`rgb(28 27 24 / .8)`,e.textAlign=`center`,e.textBaseline=`middle`,e.strokeText(d,s.x+c/2,s.y+l/2),e.fillStyle=`#fff`,e.fillText(d,s.x+c/2,s.y+l/2))}}landNames(e,t,n){for(let{id:r,owner:i,anchor:a,radius:o}of t.lands){let t=this.screen(n,a[0]+.5,a[2]-o);this.plate(e,this.viewer.nameOf(i),t.x,t.y-13,Fh(Nh(i))),this.targets.push({see:r,x:t.x,y:t.y-13})}}event(e,{event:t},n){if(!t?.center)return;let r=this.screen(n,t.center[0]+.5,t.center[2]+.5);e.strokeStyle=Lh(`--talk`),e.lineWidth=2,e.setLineDash([7,5]),e.beginPath(),e.arc(r.x,r.y,Math.max(6,t.radius*n.scale),0,2*Math.PI),e.stroke(),e.setLineDash([]);let i=r.y-Math.max(6,t.radius*n.scale);this.plate(e,t.title,r.x,i,Lh(`--talk`)),this.targets.push({see:t.id,x:r.x,y:i})}paths(e,t){e.strokeStyle=`rgb(255 255 255 / .75)`,e.lineJoin=`round`;for(let[n,r]of this.viewer.traces.paths){e.lineWidth=n===this.viewer.attention.watched?2.5:1,e.setLineDash(n===this.viewer.attention.watched?[]:[2,3]),e.beginPath();for(let{x:n,z:i}of r){let r=this.screen(t,n+.5,i+.5);e.lineTo(r.x,r.y)}e.stroke()}e.setLineDash([])}findThings({looks:e},t){t-this.lookedAt<ug||(this.lookedAt=t,this.fixtures=this.atlas.fixtures(Uint8Array.from(e.palette,e=>Number(Dh.includes(e)))))}things(e,t,n){for(let{block:r,x:i,y:a,z:o}of this.fixtures)this.mark(e,`@${i},${a},${o}`,t.looks.word(r)[0].toUpperCase(),this.screen(n,i+.5,o+.5),Lh(`--pale`))}works(e,t,n){let r=new Map;for(let i of t.contracts){if(i.state!==`OPEN`&&i.state!==`ACCEPTED`)continue;let t=i.anchor??i.terminal,a=t.join(`,`),o=r.get(a)??0;if(r.set(a,o+1),o>=lg)continue;let s=this.screen(n,t[0]+.5,t[2]+.5);this.mark(e,i.id,String(Number(i.id.slice(1))),{x:s.x+22*o,y:s.y-12},Lh(`--wait`))}}people(e,t,n,r){let{watched:i}=this.viewer.attention,a=t.map((e,t)=>({body:e,...this.screen(r,n[t].x,n[t].z)})).filter(({x:e,y:t})=>e>-20&&t>-20&&e<r.width+20&&t<r.height+20),o=({x:e,y:t})=>this.pointer?Math.hypot(e-this.pointer.x,t-this.pointer.y):1/0,s=a.length>og,c=new Set(this.viewer.society?.organisations.flatMap(({members:e})=>Object.keys(e).filter(t=>e[t]===`LEADER`))),l=({body:e,x:t,y:n})=>o({x:t,y:n})<40?0:e.id===i?1:c.has(e.id)?2:e.agent.connected?3:4,u=new Map;for(let e of a){this.targets.unshift({see:e.body.id,x:e.x,y:e.y});let t=s&&e.body.id!==i?`${Math.floor(e.x/sg)},${Math.floor(e.y/sg)}`:e.body.id;u.set(t,[...u.get(t)??[],e])}for(let t of u.values())if(t.length>2)this.cluster(e,t);else for(let{body:n,x:r,y:a}of t)this.dot(e,n,{x:r,y:a},n.id===i?7:5);let d=[],f=a.filter(e=>!s||l(e)<2).sort((e,t)=>l(e)-l(t)||o(e)-o(t));for(let{body:t,x:n,y:r}of f)this.name(e,t,n,r,d)}dot(e,t,n,r){e.beginPath(),e.arc(n.x,n.y,r,0,2*Math.PI),e.fillStyle=t.agent.connected?`hsl(${Math.round(t.hue*360)} 55% 52%)`:`#8d8a82`,e.fill(),e.strokeStyle=t.id===this.viewer.attention.watched?`#ffd46b`:`#fff`,e.lineWidth=r>3?2:1,e.stroke()}cluster(e,t){let n=t.reduce((e,t)=>e+t.x,0)/t.length,r=t.reduce((e,t)=>e+t.y,0)/t.length;e.beginPath(),e.arc(n,r,11,0,2*Math.PI),e.fillStyle=`rgb(28 27 24 / .75)`,e.fill(),this.text(e,String(t.length),n,r,`600 11px ${dg}`,`#fff`)}name(e,t,n,r,i){e.font=`600 12px ${dg}`;let a=Ca(t),o={left:n+8,right:n+12+e.measureText(a).width,top:r-9,bottom:r+9};i.some(e=>mg(o,e))||(i.push(o),e.textAlign=`left`,e.textBaseline=`middle`,e.lineWidth=3,e.strokeStyle=`rgb(28 27 24 / .8)`,e.strokeText(a,n+10,r),e.fillStyle=t.agent.connected?`#fff`:`#cfcbc0`,e.fillText(a,n+10,r))}mark(e,t,n,r,i){this.targets.push({see:t,...r}),e.beginPath(),e.roundRect(r.x-9,r.y-9,18,18,4),e.fillStyle=Lh(`--sheet`),e.fill(),e.strokeStyle=this.viewer.see===t?Lh(`--accent`):i,e.lineWidth=this.viewer.see===t?2.5:1,e.stroke(),this.text(e,n,r.x,r.y+.5,`600 11px ${dg}`,Lh(`--ink`))}plate(e,t,n,r,i){e.font=`600 14px ${fg}`;let a=e.measureText(t).width+16;e.beginPath(),e.roundRect(n-a/2,r-11,a,22,5),e.fillStyle=Lh(`--sheet`),e.fill(),e.strokeStyle=i,e.lineWidth=1.5,e.stroke(),this.text(e,t,n,r+1,e.font,i)}text(e,t,n,r,i,a){e.font=i,e.textAlign=`center`,e.textBaseline=`middle`,e.fillStyle=a,e.fillText(t,n,r)}scaleBar(e,{width:t,height:n,scale:r}){let i=[1,2,5,10,20,50,100,200,500,1e3].filter(e=>e*r<=130).pop()??1,a=`${i} ${i===1?`pace`:`paces`} · N ↑`;e.font=`12px ${dg}`;let o=i*r,s=o+e.measureText(a).width+30,c=t-70;e.beginPath(),e.roundRect(c-s,n-38,s,26,13),e.fillStyle=Lh(`--sheet`),e.fill(),e.strokeStyle=Lh(`--ink`),e.lineWidth=1.5,e.beginPath(),e.moveTo(c-s+12,n-29),e.lineTo(c-s+12,n-25),e.lineTo(c-s+12+o,n-25),e.lineTo(c-s+12+o,n-29),e.stroke(),e.textAlign=`right`,e.textBaseline=`middle`,e.fillStyle=Lh(`--ink`),e.fillText(a,c-12,n-25)}position(e,t,n){if(!this.pointer)return;let r=this.cellAt(this.pointer.x,this.pointer.y),[i,a]=[Math.floor(r.x),Math.floor(r.z)],o=n.column(i,a),s=o?`${i}, ${o.top}, ${a} · ${t.looks.word(o.block)}`:`${i}, ${a} · nobody has been there`;e.font=`12px ${dg}`;let c=e.measureText(s).width+20;e.beginPath(),e.roundRect(12,this.frame.height-38,c,26,13),e.fillStyle=Lh(`--sheet`),e.fill(),e.textAlign=`left`,e.textBaseline=`middle`,e.fillStyle=Lh(`--ink`),e.fillText(s,22,this.frame.height-25)}};ve();var Sg=9,Cg=[[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]],wg=2,Tg=3,Eg=18,Dg=Eg*Eg,Og=2,kg=4,Ag=2,jg=14,Mg=[.64,.78,.9,1],Ng=.07,Pg=(e,t,n)=>t*Dg+n*Eg+e,Fg=Cg.map(e=>{let t=e.findIndex(e=>e!==0),n=(t+1)%3,r=(t+2)%3,i=[[0,0],[1,0],[1,1],[0,1]];return e[t]<0&&i.reverse(),i.map(([i,a])=>{let o=[0,0,0];o[t]=+(e[t]>0),o[n]=i,o[r]=a;let s=[...e];s[n]+=2*i-1;let c=[...e];c[r]+=2*a-1;let l=[...s];l[r]+=2*a-1;let[u,d,f]=o;return{x:u,y:d,z:f,one:Pg(s[0],s[1],s[2]),two:Pg(c[0],c[1],c[2]),across:Pg(l[0],l[1],l[2])}})}),Ig=Cg.map(([e,t,n])=>Pg(e,t,n)),Lg={post:[7,0,7,9,11,9],board:[2,4,7,14,15,9],flat:[0,0,0,16,1,16]},Rg=class{place=new Uint16Array(65536);paint=new Uint8Array(65536);count=0;corner(e,t,n,r,i,a,o,s,c){let l=(e*4+t)*4;this.place[l]=n,this.place[l+1]=r,this.place[l+2]=i,this.place[l+3]=a,this.paint[l]=Math.min(255,o[0]*s),this.paint[l+1]=Math.min(255,o[1]*s),this.paint[l+2]=Math.min(255,o[2]*s),this.paint[l+3]=c}next(){if((this.count+1)*16>this.place.length){let e=new Uint16Array(this.place.length*2);e.set(this.place),this.place=e;let t=new Uint8Array(this.paint.length*2);t.set(this.paint),this.paint=t}return this.count++}take(){let{count:e}=this;return this.count=0,{count:e,place:this.place.slice(0,e*16),paint:this.paint.slice(0,e*16)}}};function zg(e,t,n){let r=Math.imul(e,374761393)^Math.imul(t,668265263)^Math.imul(n,1440670441);return r=Math.imul(r^r>>>13,1274126177),((r^r>>>16)&65535)/65535}var Bg=class{terrain;cells;sheet=new Rg;low=0;high=0;lamps=[];constructor(e){this.terrain=e,this.cells=new Uint16Array(Dg*(e.height+Og))}mesh(e){this.copy(e),this.lamps=this.lampsNear(e);for(let t=this.low;t<=this.high;t++)for(let n=0;n<16;n++){let r=Pg(1,t+1,n+1);for(let i=0;i<16;i++,r++)this.cells[r]!==0&&this.cell(e,r,i,t,n)}return this.sheet.take()}sheen(e){let{glow:t,kind:n}=this.terrain.looks;return t[e]?255:n[e]*8}lampsNear({cx:e,cz:t}){let n=[];for(let r=-1;r<=1;r++)for(let i=-1;i<=1;i++)for(let{x:a,y:o,z:s}of this.terrain.at(e+i,t+r)?.lamps(this.terrain.looks)??[]){let r={x:a-e*16,y:o,z:s-t*16};Math.max(-r.x,r.x-16,-r.z,r.z-16)<Sg&&n.push(r)}return n}lit(e,t,n,r){let i=0,[a,o,s]=Cg[e];for(let e of this.lamps){let[c,l,u]=[e.x-t,e.y-n,e.z-r],d=c*c+l*l+u*u;if(d>=81)continue;let f=Math.sqrt(d),p=.45+.55*Math.max(0,Math.min(1,(c*a+l*o+u*s)/(f+.5)+.35));i=Math.max(i,(1-f/Sg)*p)}return e+8*Math.round(31*i)}cell(e,t,n,r,i){let{looks:a}=this.terrain,o=this.cells[t],s=1-Ng/2+Ng*zg(e.cx*16+n,r,e.cz*16+i);switch(a.shape[o]){case`cube`:for(let e=0;e<6;e++)this.shows(t,e,r)&&this.face(t,e,n,r,i,o,s);break;case`water`:this.water(t,n,r,i,o);break;case`plant`:this.plant(n,r,i,o,s);break;case`post`:case`board`:case`flat`:this.box(Lg[a.shape[o]],n,r,i,o,s)}}shows(e,t,n){let{opaque:r,shape:i}=this.terrain.looks;if(t===Tg&&n===this.low)return!1;let a=e+Ig[t],o=this.cells[a];return r[o]?!1:i[o]!==`water`||t!==wg&&i[this.cells[a+Dg]]!==`water`}face(e,t,n,r,i,a,o){let{looks:s}=this.terrain,{cells:c,sheet:l}=this,u=t===wg?s.top[a]:s.side[a],d=Fg[t],f=d.map(({one:t,two:n,across:r})=>{let i=s.opaque[c[e+t]],a=s.opaque[c[e+n]];return i&&a?0:3-i-a-s.opaque[c[e+r]]}),p=f[0]+f[2]>=f[1]+f[3]?0:1,m=l.next();for(let e=0;e<4;e++){let s=d[p+e&3],c=o*Mg[f[p+e&3]],h=this.lit(t,n+s.x,r+s.y,i+s.z);l.corner(m,e,(n+s.x)*16,(r+s.y)*16,(i+s.z)*16,h,u,c,this.sheen(a))}}water(e,t,n,r,i){let{looks:a}=this.terrain,o=a.shape[this.cells[e+Dg]]!==`water`;for(let s=0;s<6;s++){let c=this.cells[e+Ig[s]];if((a.opaque[c]||a.shape[c]===`water`||s===Tg)&&!(s===wg&&o))continue;let l=s===wg?a.top[i]:a.side[i],u=this.sheet.next();Fg[s].forEach((e,a)=>{let c=e.y&&o?jg:e.y*16,d=this.lit(s,t+e.x,n+e.y,r+e.z);this.sheet.corner(u,a,(t+e.x)*16,n*16+c,(r+e.z)*16,d,l,1,this.sheen(i))})}}plant(e,t,n,r,i){let{looks:a}=this.terrain,o=this.lit(wg,e+.5,t,n+.5);for(let[s,c,l,u]of[[2,2,14,14],[14,2,2,14]])for(let[d,f,p,m]of[[s,c,l,u],[l,u,s,c]]){let s=this.sheet.next(),c=(a,c,l,u,d)=>this.sheet.corner(s,a,e*16+c,t*16+l,n*16+u,o,d,i,this.sheen(r));c(0,d,0,f,a.side[r]),c(1,p,0,m,a.side[r]),c(2,p,14,m,a.top[r]),c(3,d,14,f,a.top[r])}}box(e,t,n,r,i,a){let{looks:o}=this.terrain;for(let s=0;s<6;s++){let c=s===wg?o.top[i]:o.side[i],l=this.sheet.next();Fg[s].forEach((o,u)=>{let d=[o.x,o.y,o.z].map((t,n)=>e[n+3*t]);this.sheet.corner(l,u,t*16+d[0],n*16+d[1],r*16+d[2],this.lit(s,t+.5,n+.5,r+.5),c,a,this.sheen(i))})}}copy(e){let{terrain:t,cells:n}=this;n.fill(0),this.low=e.voxels?0:t.height,this.high=0;let r=[];for(let n=-1;n<=1;n++)for(let i=-1;i<=1;i++)r.push(t.at(e.cx+i,e.cz+n));let i=(e,t)=>{let n=r[(t+16>>4)*3+(e+16>>4)];return n&&{owner:n,i:(t&15)*16+(e&15)}};for(let t=-1;t<=16;t++)for(let n=-1;n<=16;n++){let r=i(n,t);r&&this.measure(r.owner,r.i,r.owner===e)}this.low=Math.max(0,this.low-kg);for(let e=-1;e<=16;e++)for(let t=-1;t<=16;t++){let n=i(t,e);n&&this.column(n.owner,n.i,Pg(t+1,1,e+1))}this.trunks(e)}measure(e,t,n){(!e.voxels||!n)&&(this.low=Math.min(this.low,e.ground(this.terrain.looks)[t])),n&&(this.high=Math.max(this.high,e.voxels?this.terrain.height-1:e.surface.top[t]))}column(e,t,n){let{cells:r,terrain:i}=this,{looks:a,height:o}=i;if(e.voxels){for(let i=this.low;i<o;i++)r[n+i*Dg]=e.voxels[i*16*16+t];return}let s=e.surface.block[t],c=e.surface.top[t];if(s===0)return;let l=a.under[s],u=c-1;if(r[n+c*Dg]=s,s===a.leaves){let i=e.ground(a)[t];for(;u>i&&u>c-Ag;u--)r[n+u*Dg]=s;u=Math.min(u,i),l=a.grass}for(let e=u;e>=this.low;e--)r[n+e*Dg]=l,l=a.under[l]}trunks(e){if(e.voxels)return;let{looks:t}=this.terrain,{block:n,top:r}=e.surface,i=e.ground(t);for(let e=0;e<256;e++){if(n[e]!==t.leaves)continue;let a=Pg((e&15)+1,1,(e>>4)+1),o=a+r[e]*Dg;if([1,-1,Eg,-Eg].every(e=>this.cells[o+e]===t.leaves&&this.cells[o+e+Dg]!==t.leaves))for(let n=i[e]+1;n<r[e];n++)this.cells[a+n*Dg]=t.log}}},Vg={uSun:{value:new U(0,1,0)},uSunColour:{value:new U},uAbove:{value:new U(1,1,1)},uBelow:{value:new U},uHaze:{value:new U},uReach:{value:new ec(200,400)},uSeconds:{value:0},uFocus:{value:44},uNight:{value:0},uFrost:{value:0},uWet:{value:0}};function Hg(e){let t=(e,[t,n,r])=>e.set(t,n,r);t(Vg.uSun.value,e.sun),t(Vg.uSunColour.value,e.sunColour),t(Vg.uAbove.value,e.above),t(Vg.uBelow.value,e.below),t(Vg.uHaze.value,e.haze),Vg.uNight.value=e.night}var Ug=`
  uniform vec3 uSun, uSunColour, uAbove, uBelow;
  uniform vec2 uReach;
  varying vec3 vColour;
  varying float vHaze;
  vec3 lit(vec3 normal) {
    return mix(uBelow, uAbove, normal.y * 0.5 + 0.5) + uSunColour * max(dot(normal, uSun), 0.0);
  }
`,Wg=`
  uniform vec3 uHaze;
  varying vec3 vColour;
  varying float vHaze;
  void main() { gl_FragColor = vec4(mix(vColour, uHaze, vHaze), 1.0); }
`,Gg=new ld({uniforms:Vg,vertexShader:`
    attribute vec4 place;
    attribute vec4 paint;
    uniform vec3 uSun, uSunColour, uAbove, uBelow;
    uniform vec2 uReach;
    uniform float uNight, uSeconds;
    flat varying vec2 vFace; // its pattern, and the side it faces
    varying vec3 vPaint, vLight, vPlace, vSeen;
    varying float vLamp;
    const vec3 SIDES[6] = vec3[6](${Cg.map(e=>`vec3(${e.map(e=>e.toFixed(1)).join(`,`)})`).join(`,`)});
    void main() {
      int word = int(place.w + 0.5);
      int side = word & 7;
      vLamp = float(word >> 3) / ${31 .toFixed(1)};
      float kind = paint.a > 0.99 ? -1.0 : floor(paint.a * 255.0 / ${8 .toFixed(1)} + 0.5);
      vFace = vec2(kind, float(side));
      vec4 at = modelMatrix * vec4(place.xyz, 1.0);
      vPlace = at.xyz;
      // Plants bend in the wind.
      if (kind > 12.5 && fract(at.y) > 0.5) {
        vec2 wind = vec2(sin(uSeconds * 1.6 + at.x * 0.7 + at.z), cos(uSeconds * 1.3 + at.z * 0.8));
        at.xz += 0.07 * wind;
      }
      vec3 normal = SIDES[side];
      vec3 lit = mix(uBelow, uAbove, normal.y * 0.5 + 0.5) + uSunColour * max(dot(normal, uSun), 0.0);
      vec3 lamp = vec3(1.05, 0.72, 0.38) * vLamp * vLamp * 1.5 * uNight;
      vLight = kind < 0.0 ? vec3(1.15) : lit + lamp;
      vPaint = paint.rgb;
      vec4 seen = viewMatrix * at;
      vSeen = seen.xyz;
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:`
    uniform vec3 uHaze;
    uniform vec2 uReach;
    uniform float uNight, uSeconds, uFrost, uWet, uFocus;
    flat varying vec2 vFace;
    varying vec3 vPaint, vLight, vPlace, vSeen;
    varying float vLamp;
    
  float hash(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yxz + 33.33);
    return fract((p.x + p.y) * p.z);
  }
  float drift(vec2 p) {
    vec2 c = floor(p);
    vec2 f = smoothstep(0.0, 1.0, p - c);
    float a = mix(hash(vec3(c, 9.0)), hash(vec3(c + vec2(1.0, 0.0), 9.0)), f.x);
    float b = mix(hash(vec3(c + vec2(0.0, 1.0), 9.0)), hash(vec3(c + 1.0, 9.0)), f.x);
    return mix(a, b, f.y);
  }
  float edge(vec2 t, float wide) {
    vec2 e = min(t, 15.0 - t);
    return step(min(e.x, e.y), wide);
  }
  // The colour of a texel: the paint made lighter or darker, or for some patterns another colour.
  vec3 worked(int kind, vec3 paint, vec2 uv, float side, vec3 cell) {
    vec2 texel = floor(uv * 16.0);
    vec2 t = mod(texel, 16.0);
    float n = hash(vec3(texel, side));
    float blotch = hash(vec3(floor(uv * 4.0), side + 7.0));
    bool up = side == 2.0;
    if (kind == 1) {
      bool turf = !up && side != 3.0 && t.y > 12.0 - 3.0 * hash(vec3(texel.x, cell.y, side));
      if (turf) return vec3(0.51, 0.63, 0.34) * (0.88 + 0.2 * n);
      return paint * (up ? 0.93 + 0.1 * n + 0.06 * blotch : 0.86 + 0.22 * n);
    }
    if (kind == 2) return paint * (0.92 + 0.1 * n + 0.06 * step(0.93, n));
    if (kind == 3) return paint * (0.9 + 0.1 * n + 0.09 * blotch - 0.16 * step(0.955, n));
    if (kind == 4) {
      float board = floor(uv.y * 4.0);
      float joint = step(abs(mod(texel.x + 16.0 * hash(vec3(board, side, 3.0)), 32.0) - 0.5), 0.6);
      float seam = step(mod(texel.y, 4.0), 0.5);
      float grainy = hash(vec3(floor(texel.x / 5.0), texel.y, side));
      return paint * (0.95 + 0.12 * grainy + 0.07 * hash(vec3(board, 1.0, side))) * (1.0 - 0.24 * max(seam, joint));
    }
    if (kind == 5) {
      float row = floor(texel.y / 4.0);
      float shifted = texel.x + 4.0 * mod(row, 2.0);
      float mortar = max(step(mod(texel.y, 4.0), 0.5), step(mod(shifted, 8.0), 0.5));
      float one = hash(vec3(floor(shifted / 8.0), row, side));
      return mix(paint * (0.86 + 0.24 * one + 0.06 * n), vec3(0.72, 0.68, 0.62), mortar * 0.6);
    }
    if (kind == 6) {
      if (up || side == 3.0) return paint * (0.85 + 0.2 * step(0.5, fract(length(t - 7.5) * 0.28)));
      float furrow = floor(texel.y / 11.0 + 4.0 * hash(vec3(texel.x, side, 1.0)));
      return paint * (0.76 + 0.36 * hash(vec3(texel.x, furrow, side)));
    }
    if (kind == 7) return paint * (0.88 + 0.2 * n + 0.08 * blotch) * (1.0 - 0.1 * step(n, 0.12));
    if (kind == 8) {
      float wave = sin(uv.x * 4.0 + uv.y * 2.0 + uSeconds * 0.9) + sin(uv.y * 5.0 - uv.x * 1.7 - uSeconds * 0.7);
      float glint = step(0.985, hash(vec3(floor(uv * 8.0), floor(uSeconds * 1.5))));
      return paint * (0.97 + 0.045 * wave) + vec3(0.16) * glint;
    }
    if (kind == 9) {
      float frame = max(edge(t, 0.5), max(step(abs(t.x - 7.5), 0.6), step(abs(t.y - 7.5), 0.6)) * 0.8);
      float shine = step(abs(mod(t.x + t.y, 16.0) - 5.0), 1.0);
      return mix(paint * vec3(0.78, 0.9, 0.98) + 0.14 * shine, vec3(0.42, 0.33, 0.24), frame);
    }
    if (kind == 10) return paint * (0.96 + 0.07 * n) * (1.0 - 0.26 * edge(t, 0.5) - 0.08 * edge(t, 1.5));
    if (kind == 11) {
      float band = edge(t, 0.5) + (up ? 0.0 : step(abs(t.y - 10.0), 0.6));
      float latch = up ? 0.0 : step(max(abs(t.x - 7.5), abs(t.y - 9.0)), 1.6);
      vec3 wood = paint * (0.94 + 0.1 * hash(vec3(floor(texel.x / 4.0), texel.y, side)));
      return mix(wood * (1.0 - 0.35 * min(1.0, band)), vec3(0.85, 0.76, 0.5), latch);
    }
    if (kind == 12) {
      float mouth = up ? 0.0 : step(abs(t.x - 7.5), 4.0) * step(2.0, t.y) * step(t.y, 7.0);
      vec3 glow = vec3(0.95, 0.5, 0.16) * (0.75 + 0.25 * sin(uSeconds * 7.0 + t.x + cell.x));
      vec3 fire = glow * step(t.y, 4.0 + 2.0 * hash(vec3(t.x, floor(uSeconds * 5.0), 1.0)));
      return mix(paint * (0.9 + 0.16 * n) * (1.0 - 0.2 * edge(t, 0.5)), max(vec3(0.09), fire), mouth);
    }
    return paint;
  }

    void main() {
      int kind = int(vFace.x + 0.5);
      float side = vFace.y;
      vec2 uv = side < 1.5 ? vPlace.zy : side < 3.5 ? vPlace.xz : vPlace.xy;
      vec3 paint = vPaint;
      vec3 light = vLight;
      float far = length(vSeen);
      float near = 1.0 - smoothstep(50.0, 120.0, far);
      if (kind == 7) {
        // Leaves between the camera and what it looks at are thinned out, so that trees do not hide a town.
        float hides = smoothstep(3.0, 7.0, uFocus + vSeen.z) * (1.0 - smoothstep(0.2, 0.42, length(vSeen.xy) / uFocus));
        if (hash(vec3(floor(uv * 12.0), side)) < 0.85 * hides) discard;
      }
      if (kind >= 13) {
        // Stalks of different heights.
        vec3 cell = floor(vPlace);
        float stalk = floor(fract(vPlace.x) * 16.0) + 20.0 * step(0.5, abs(fract(vPlace.x) - fract(vPlace.z)));
        float tall = hash(vec3(stalk, cell.x, cell.z));
        float high = fract(vPlace.y);
        if (high > (kind == 14 ? 0.6 : 0.4) + 0.46 * tall || (kind == 13 && tall < 0.3)) discard;
        paint *= 0.8 + 0.35 * tall;
        if (kind == 14) paint *= 0.86 + 0.3 * step(0.55, high);
      } else if (kind > 0 && vFace.x >= 0.0 && near > 0.0) {
        paint = mix(paint, worked(kind, paint, uv, side, floor(vPlace)), near);
        if (kind == 9) light += uNight * vec3(0.55, 0.36, 0.12);
      }
      if (vFace.x >= 0.0) {
        if (side == 2.0 && kind != 8 && uFrost > 0.01) {
          float speck = hash(vec3(floor(uv * 16.0), 5.0)) * 0.3 * near + drift(uv * 0.35);
          paint = mix(paint, vec3(0.82, 0.86, 0.92), uFrost * smoothstep(0.25, 0.6, speck) * (kind >= 13 ? 0.35 : 0.9));
        }
        paint *= 1.0 - 0.16 * uWet;
      }
      gl_FragColor = vec4(mix(paint * light, uHaze, smoothstep(uReach.x, uReach.y, far)), 1.0);
    }
  `}),Kg=new ld({uniforms:Vg,vertexShader:`
    attribute vec4 paint;
    ${Ug}
    void main() {
      vec4 seen = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      vec3 colour = mix(paint.rgb, paint.rgb * instanceColor, paint.a);
      vColour = colour * (lit(normalize(mat3(instanceMatrix) * normal)) * 0.85 + 0.2);
      vHaze = 0.0;
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:Wg}),qg=new ld({uniforms:Vg,transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-2,vertexShader:`
    attribute vec4 paint;
    varying vec2 vAcross;
    void main() {
      vAcross = paint.xy;
      gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
    }
  `,fragmentShader:`
    varying vec2 vAcross;
    void main() {
      float far = length(vAcross * 2.0 - 1.0);
      gl_FragColor = vec4(0.05, 0.06, 0.1, 0.42 * (1.0 - smoothstep(0.35, 1.0, far)));
    }
  `}),Jg=new ld({transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-4,vertexShader:`
    void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
  `,fragmentShader:`
    void main() { gl_FragColor = vec4(1.0, 0.83, 0.42, 0.9); }
  `}),Yg=new ld({uniforms:{...Vg,uMiddle:{value:new U},uSnow:{value:0},uSize:{value:1}},transparent:!0,depthWrite:!1,vertexShader:`
    uniform vec3 uMiddle;
    uniform float uSeconds, uSnow, uSize;
    const vec3 BOX = vec3(64.0, 40.0, 64.0);
    void main() {
      float speed = mix(34.0, 4.0, uSnow);
      float swayX = sin(uSeconds + position.y) * uSnow * 1.5;
      float swayZ = cos(uSeconds * 0.7 + position.x) * uSnow;
      vec3 drift = vec3(swayX, -uSeconds * speed, swayZ);
      vec3 local = mod(position * BOX + drift - uMiddle, BOX) - BOX * 0.5;
      vec4 seen = modelViewMatrix * vec4(uMiddle + local, 1.0);
      gl_Position = projectionMatrix * seen;
      gl_PointSize = uSize * mix(560.0, 210.0, uSnow) / max(14.0, -seen.z);
    }
  `,fragmentShader:`
    uniform float uSnow;
    void main() {
      vec2 across = gl_PointCoord * 2.0 - 1.0;
      float far = mix(abs(across.x) * 11.0, length(across), uSnow);
      if (far > 1.0) discard;
      gl_FragColor = mix(vec4(0.78, 0.85, 0.93, 0.45), vec4(1.0, 1.0, 1.0, 0.85), uSnow);
    }
  `}),Xg=2e3,Zg=.16,Qg=.7,$g=1.04,e_=24e3,t_=new ld({uniforms:Vg,transparent:!0,depthWrite:!1,side:2,polygonOffset:!0,polygonOffsetFactor:-1,polygonOffsetUnits:-1,vertexShader:`
    attribute vec4 paint;
    uniform vec2 uReach;
    varying vec4 vPaint;
    void main() {
      vec4 seen = modelViewMatrix * vec4(position, 1.0);
      vPaint = vec4(paint.rgb, paint.a * (1.0 - smoothstep(uReach.x, uReach.y, length(seen.xyz))));
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:`
    varying vec4 vPaint;
    void main() { gl_FragColor = vPaint; }
  `}),n_=[{dx:1,dz:0,inX:0,inZ:1,farX:0,farZ:0},{dx:1,dz:0,inX:0,inZ:-1,farX:0,farZ:1},{dx:0,dz:1,inX:1,inZ:0,farX:0,farZ:0},{dx:0,dz:1,inX:-1,inZ:0,farX:1,farZ:0}],r_=class{mesh=new Cu(new $l,t_);lands=null;chosen=null;size=-1;at=-1/0;constructor(){this.mesh.frustumCulled=!1,this.mesh.renderOrder=1}update(e,t,n,r){let i=n.chunks.size!==this.size,a=e===this.lands&&t===this.chosen;a&&!i||a&&r-this.at<Xg||(this.lands=e,this.chosen=t,this.size=n.chunks.size,this.at=r,this.build(e,n))}build(e,t){let n=[],r=[];for(let i of e){if(n.length>e_*12)break;let e=this.chosen===i.id||this.chosen===i.owner,[a,o,s]=Nh(i.owner,.68).map(e=>e/255),c=(e,t,i)=>{e.forEach((e,c)=>{n.push(e[0],e[1],e[2]),r.push(a,o,s,c<2?t:i)})},l=Zg*(e?2:1),u=2*i.radius+1;for(let{dx:n,dz:r,inX:a,inZ:o,farX:s,farZ:d}of n_)for(let f=0;f<u;f++){let p=i.anchor[0]-i.radius+n*f+s*u,m=i.anchor[2]-i.radius+r*f+d*u,h=t.groundAt(p-s+.5,m-d+.5);if(h===void 0)continue;let g=h+$g,_=[p+n,g,m+r];c([[p,g,m],_,[_[0]+a*l,g,_[2]+o*l],[p+a*l,g,m+o*l]],.95,.95),c([[p,g,m],_,[_[0],g+Qg,_[2]],[p,g+Qg,m]],e?.7:.32,0)}}let i=n.length/12,a=new Uint32Array(i*6);for(let e=0;e<i;e++)a.set([0,1,2,0,2,3].map(t=>e*4+t),e*6);this.mesh.geometry.dispose();let o=new $l;o.setAttribute(`position`,new Rl(new Float32Array(n),3)),o.setAttribute(`paint`,new Rl(new Float32Array(r),4)),o.setIndex(new Rl(a,1)),this.mesh.geometry=o,this.mesh.visible=i>0}};ga();var i_=8,a_=700,o_=Math.PI/2-.05,s_=.12,c_={side:.6,rise:.72},l_=150,u_=2e3,d_=130,f_=class{still;lens=new Bd(42,1,.5,3e3);target=new U;wished={x:0,y:24,z:0,...c_,distance:44};shown={...this.wished};distanceBefore=this.wished.distance;settled=!1;constructor(e){this.still=e}pan(e,t){let{side:n,distance:r}=this.wished;this.wished.x+=(Math.cos(n)*e-Math.sin(n)*t)*r,this.wished.z+=(-Math.sin(n)*e-Math.cos(n)*t)*r}turn(e,t){this.wished.side+=e,this.wished.rise=Math.min(o_,Math.max(s_,this.wished.rise+t))}zoom(e,t=!1){this.wished.distance=Math.min(t?u_:a_,Math.max(i_,this.wished.distance*e))}mirror(e){Object.assign(this.wished,e.shown),this.cut()}enterMap(){this.distanceBefore=this.wished.distance,this.wished.distance=Math.max(l_,this.wished.distance)}leaveMap(){this.wished.distance=Math.min(this.distanceBefore,this.wished.distance)}slide(e,t){this.wished.x+=e,this.wished.z+=t}lookAt(e,t,n){Object.assign(this.wished,{x:e,y:t,z:n})}get said(){let{x:e,z:t,distance:n,side:r,rise:i}=this.wished;return[e,t,n,r*180/Math.PI,i*180/Math.PI].map(Math.round).join(`,`)}heed(e){if(!/^-?\d{1,6}(,-?\d{1,6}){4}$/.test(e))return!1;let[t,n,r,i,a]=e.split(`,`).map(Number);return Object.assign(this.wished,{x:t,z:n,side:i*Math.PI/180}),this.wished.distance=Math.min(a_,Math.max(i_,r)),this.wished.rise=Math.min(o_,Math.max(s_,a*Math.PI/180)),this.cut(),!0}cut(){this.settled=!1}update(e){let{wished:t,shown:n,lens:r,target:i}=this,a=this.still||!this.settled?1:1-Math.exp(-e/d_);this.settled=!0;for(let e of[`x`,`y`,`z`,`rise`,`distance`])n[e]+=(t[e]-n[e])*a;n.side=la(n.side,t.side,a),i.set(n.x,n.y,n.z);let o=Math.cos(n.rise)*n.distance;r.position.set(n.x+Math.sin(n.side)*o,n.y+Math.sin(n.rise)*n.distance,n.z+Math.cos(n.side)*o),r.lookAt(i),r.near=Math.max(.5,n.distance/40),r.far=this.horizon,r.updateProjectionMatrix(),r.updateMatrixWorld()}get side(){return this.shown.side}get distance(){return this.shown.distance}get horizon(){return this.shown.distance*2.6+220}},p_=240,m_=5,h_=.7,g_=.13,__=class{mesh;matrix=new Cc;colour=new K;constructor(){let e=new $u(1,1,1),t=new Float32Array(e.attributes.position.count*4).fill(1);e.setAttribute(`paint`,new Rl(t,4)),this.mesh=new Fu(e,Kg,p_),this.mesh.instanceMatrix.setUsage(js),this.mesh.setColorAt(0,this.colour),this.mesh.frustumCulled=!1,this.mesh.count=0}update(e,t,n,r){let i=0;for(let a=0;a<e.length&&i+m_<=p_;a++){let o=e[a].agent.work_task;if(o?.kind!==`MINE`||t[a].speed>0)continue;let[s,c,l]=o.target,u=n.blockAt(s,c,l),[d,f,p]=n.looks.side[u??0]??[120,110,95];for(let t=0;t<m_;t++,i++){let n=(r/1e3/h_+t/m_+e[a].hue)%1,o=t*2.4+Math.floor(r/1e3/h_+t/m_)*1.7,u=1.9*n-2.6*n*n;this.matrix.makeScale(g_,g_,g_).setPosition(s+.5+Math.sin(o)*(.35+.7*n),c+.8+u,l+.5+Math.cos(o)*(.35+.7*n)),this.mesh.setMatrixAt(i,this.matrix),this.mesh.setColorAt(i,this.colour.setRGB(d/255,f/255,p/255))}}this.mesh.count=i,this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.instanceColor&&(this.mesh.instanceColor.needsUpdate=!0)}};function v_(e){let t=[],n=[],r=[],i=[];for(let{from:a,to:o,colour:s,dye:c=0}of e)for(let e of Cg){let l=t.length/3,u=e.findIndex(e=>e!==0),d=[[0,0],[1,0],[1,1],[0,1]];e[u]<0&&d.reverse();for(let[i,l]of d){let d=[0,0,0];d[u]=+(e[u]>0),d[(u+1)%3]=i,d[(u+2)%3]=l,t.push(...d.map((e,t)=>e?o[t]:a[t])),n.push(...e),r.push((s>>16)/255,(s>>8&255)/255,(s&255)/255,c)}i.push(...[0,1,2,0,2,3].map(e=>l+e))}let a=new $l;return a.setAttribute(`position`,new Rl(new Float32Array(t),3)),a.setAttribute(`normal`,new Rl(new Float32Array(n),3)),a.setAttribute(`paint`,new Rl(new Float32Array(r),4)),a.setIndex(i),a}var y_=4096,b_=14925205,x_=5980976,S_=5196357,C_=16777215,w_=3352863,T_=[{from:[-.3,.62,-.17],to:[.3,1.24,.17],colour:C_,dye:1},{from:[-.31,.6,-.18],to:[.31,.68,.18],colour:5916208},{from:[-.27,1.26,-.26],to:[.27,1.72,.26],colour:b_},{from:[-.28,1.56,-.27],to:[.28,1.8,.2],colour:x_},{from:[-.28,1.34,-.28],to:[.28,1.62,-.2],colour:x_},{from:[-.17,1.44,.26],to:[-.08,1.54,.28],colour:w_},{from:[.08,1.44,.26],to:[.17,1.54,.28],colour:w_},{from:[-.05,1.36,.26],to:[.05,1.45,.33],colour:b_}],E_=[{from:[-.13,-.62,-.13],to:[.13,.02,.13],colour:S_},{from:[-.14,-.62,-.14],to:[.14,-.5,.19],colour:3813158}],D_=[{from:[-.08,-.42,-.1],to:[.08,.04,.1],colour:14540253,dye:1},{from:[-.075,-.56,-.09],to:[.075,-.42,.09],colour:b_}],O_=[{from:[-.04,-.54,-.1],to:[.04,-.46,.62],colour:9071170},{from:[-.05,-.8,.5],to:[.05,-.2,.64],colour:10988205}],k_=[{from:[-.26,.72,.24],to:[.26,1.16,.7],colour:12095064},{from:[-.28,.9,.22],to:[.28,.97,.72],colour:8215604}],A_=70,j_={side:.15,height:.62},M_={side:.38,height:1.18},N_={MINE:`strike`,GATHER:`put`,PLACE:`put`,BUILD_BLUEPRINT:`strike`,CRAFT:`put`,SMELT:`put`,TRANSFER:`carry`,OPEN:`put`,CLAIM_LAND:`put`},P_=new K(.55,.55,.55);function F_(){let e=new $l,t=[[-1,-1],[-1,1],[1,1],[1,-1]],n=t.flatMap(([e,t])=>[e*.5,.04,t*.5]),r=t.flatMap(([e,t])=>[(e+1)/2,(t+1)/2,0,0]);return e.setAttribute(`position`,new Rl(new Float32Array(n),3)),e.setAttribute(`paint`,new Rl(new Float32Array(r),4)),e.setIndex([0,1,2,0,2,3]),e}function I_(e,t){let n=new Fu(e,t,y_);return n.instanceMatrix.setUsage(js),n.frustumCulled=!1,n.count=0,n}var L_=class{group=new Zc;upper=I_(v_(T_),Kg);left=I_(v_(E_),Kg);right=I_(v_(E_),Kg);leftArm=I_(v_(D_),Kg);rightArm=I_(v_(D_),Kg);tool=I_(v_(O_),Kg);crate=I_(v_(k_),Kg);spots=I_(F_(),qg);matrix=new Cc;dye=new K;all=[this.spots,this.upper,this.left,this.right,this.leftArm,this.rightArm,this.tool,this.crate];constructor(){for(let e of this.all)e!==this.spots&&e.setColorAt(0,P_);this.group.add(...this.all)}update(e,t,n,r){let i=Math.min(e.length,y_),a=Math.max(1,r/A_);this.tool.count=this.crate.count=0;for(let r=0;r<i;r++)this.put(r,e[r],t[r],n,a);for(let e of this.all){e!==this.tool&&e!==this.crate&&(e.count=i);for(let t of[e.instanceMatrix,e.instanceColor])t?.clearUpdateRanges(),t?.addUpdateRange(0,i*t.itemSize),t&&(t.needsUpdate=!0)}}put(e,t,n,r,i){let{matrix:a,dye:o}=this,{work_task:s,connected:c}=t.agent,l=s&&n.speed===0?N_[s.kind]??`put`:null,u=s!==void 0&&N_[s.kind]===`carry`,d=Math.min(1,n.speed/4),f=r/1e3+t.hue*7,p=Math.sin(f*9)*.7*d,m=Math.sin(f*6.5),h=c&&!d?Math.sin(f*1.8)*.012:0,g=(l===`strike`?Math.max(0,m)*.05:Math.abs(p)*.06)+h,_=Math.sin(n.yaw)*i,v=Math.cos(n.yaw)*i;a.set(v,0,_,n.x,0,i,0,n.y+g,-_,0,v,n.z,0,0,0,1),this.upper.setMatrixAt(e,a),u&&this.crate.setMatrixAt(this.crate.count++,a);let y=(t,{side:r,height:o},s,c,l=0)=>{let u=Math.sin(c),d=Math.cos(c);a.set(v,_*u,_*d,n.x+v*r*s,0,d*i,-u*i,n.y+(o+l)*i,-_,v*u,v*d,n.z-_*r*s,0,0,0,1),t.setMatrixAt(e,a)};for(let[t,n]of[[this.left,1],[this.right,-1]])y(t,j_,n,p*n),t.setColorAt(e,P_);let b=t.saying!==null&&!l,x=u?-1.15:l===`put`?-.9-.3*m:null,S=l===`strike`?-1.7+1.1*Math.max(-.6,m):x??(b?-1.9+.35*m:-p);y(this.leftArm,M_,1,l===`strike`?-.7+.5*Math.max(-.6,m):x??p*-1,g),y(this.rightArm,M_,-1,x??(l===`strike`||b?S:p),g),l===`strike`&&this.tool.setMatrixAt(this.tool.count++,a),a.makeScale(i,1,i).setPosition(n.x,n.y,n.z),this.spots.setMatrixAt(e,a),c?o.setHSL(t.hue,.5,.58):o.copy(P_);for(let t of[this.upper,this.leftArm,this.rightArm])t.setColorAt(e,o)}};ve(),Cn();var R_=2,z_=5,B_=.4,V_=(e,t)=>mn(Math.floor(e/R_),Math.floor(t/R_)),H_=new Rl(new Uint32Array,1);function U_(e){if(H_.count<e*6){let t=Math.max(e,4096)*2,n=new Uint32Array(t*6);for(let e=0;e<t;e++)n.set([0,1,2,0,2,3].map(t=>e*4+t),e*6);H_=new Rl(n,1)}return H_}var W_=class{rx;rz;height;quads=new Map;mesh=new Cu(new $l,Gg);constructor(e,t,n){this.rx=e,this.rz=t,this.height=n,this.mesh.scale.setScalar(1/16),this.mesh.position.set(e*R_*16,0,t*R_*16)}rebuild(){let e=[...this.quads.values()],t=e.reduce((e,t)=>e+t.quads.count,0),n=new Uint16Array(t*16),r=new Uint8Array(t*16),i=0;for(let{cx:t,cz:a,quads:o}of e){let e=(t-this.rx*R_)*16*16,s=(a-this.rz*R_)*16*16;r.set(o.paint,i);for(let t=0;t<o.place.length;t+=4,i+=4)n[i]=o.place[t]+e,n[i+1]=o.place[t+1],n[i+2]=o.place[t+2]+s,n[i+3]=o.place[t+3]}this.dispose();let a=new $l;a.setAttribute(`place`,new Rl(n,4)),a.setAttribute(`paint`,new Rl(r,4,!0)),a.setIndex(U_(t)),a.setDrawRange(0,t*6);let o=R_*16*16/2,s=this.height*16/2;a.boundingSphere=new Gl(new U(o,s,o),Math.hypot(o,o,s)),this.mesh.geometry=a}dispose(){this.mesh.geometry.setIndex(null),this.mesh.geometry.dispose()}},G_=class{terrain;group=new Zc;regions=new Map;mesher;constructor(e){this.terrain=e,this.mesher=new Bg(e)}update(e,t,n=0){let{stale:r}=this.terrain,i=performance.now()+Math.max(z_,n*B_),a=new Set;for(;r.size&&performance.now()<i;){let[n,i]=K_(r.values(),e/16,t/16),o=mn(n,i);r.delete(o),a.add(this.draw(o,n,i))}for(let e of a)this.finish(e)}get behind(){return this.terrain.stale.size}dispose(){for(let e of this.regions.values())e.dispose()}draw(e,t,n){let r=this.regionOf(t,n),i=this.terrain.at(t,n);return i?r.quads.set(e,{cx:t,cz:n,quads:this.mesher.mesh(i)}):r.quads.delete(e),r}regionOf(e,t){let n=V_(e,t),r=this.regions.get(n);return r||(r=new W_(Math.floor(e/R_),Math.floor(t/R_),this.terrain.height),this.regions.set(n,r),this.group.add(r.mesh)),r}finish(e){if(e.quads.size)e.rebuild();else{e.dispose(),this.group.remove(e.mesh);for(let[t,n]of this.regions)n===e&&this.regions.delete(t)}}};function K_(e,t,n){let r=[0,0],i=1/0;for(let a of e){let e=(a[0]+.5-t)**2+(a[1]+.5-n)**2;e<i&&([r,i]=[a,e])}return r}function q_(e,t){if(t(e))return e;let n=t=>`${e.slice(0,t).replace(J_,``)}…`;for(let r=e.lastIndexOf(` `);r>0;r=e.lastIndexOf(` `,r-1))if(t(n(r)))return n(r);let r=[...e.split(` `,1)[0]];for(;r.length>1&&!t(`${r.join(``)}…`);)r.pop();return`${r.join(``)}…`}var J_,Y_=n((()=>{J_=/[\s,;:–-]+$/u}));Y_();var X_=72,Z_=2,Q_=(e,t)=>e.left<t.right&&t.left<e.right&&e.top<t.bottom&&t.top<e.bottom,$_=({left:e,top:t,right:n,bottom:r},i,a)=>({left:e+i,right:n+i,top:t+a,bottom:r+a});function ev(e,t,n){for(let r of[0,t-e.left-Z_,t-e.right+Z_]){let t=$_(e,r,0);for(let e=n.filter(e=>Q_(t,e));e.length;e=n.filter(e=>Q_(t,e)))t=$_(t,0,Math.min(...e.map(({top:e})=>e))-Z_-t.bottom);if(e.bottom-t.bottom<=X_)return t}return null}wa();var tv=80,nv=2.05,rv=[1.6,.9],iv=60,av=`system-ui, sans-serif`,ov=class{canvas;spots=[];pen;point=new U;constructor(e){this.canvas=e,this.pen=e.getContext(`2d`)}resize(e,t,n){this.canvas.width=e*n,this.canvas.height=t*n,this.pen.setTransform(n,0,0,n,0,0)}update(e,t,n,r,i,a){let{clientWidth:o,clientHeight:s}=this.canvas;this.find(e,t,n,o,s),this.pen.clearRect(0,0,o,s),this.pen.textAlign=`center`,this.pen.textBaseline=`middle`;let c=[...a],l=({body:e})=>e.id===r?0:e.saying?1:2;for(let e of[...this.spots].sort((e,t)=>l(e)-l(t)).slice(0,tv)){let t=i!==null&&!rv.some(t=>i.sees(n.position,{...e.feet,y:e.feet.y+t}));t&&e.body.id!==r||(this.pen.globalAlpha=t?.45:1,this.write(e,e.body.id===r,c))}this.pen.globalAlpha=1}near(e,t,n){let r=null,i=n;for(let n of this.spots){let a=Math.hypot(n.x-e,n.y-t);a<i&&([r,i]=[n,a])}return r?.body.id??null}find(e,t,n,r,i){this.spots=[];for(let a=0;a<e.length;a++){let{x:o,y:s,z:c}=t[a],l=this.point.set(o,s+nv,c).distanceTo(n.position);if(this.point.project(n),this.point.z>1||Math.abs(this.point.x)>1.1||Math.abs(this.point.y)>1.1)continue;let u={body:e[a],depth:l,feet:{x:o,y:s,z:c},x:(this.point.x+1)/2*r,y:(1-this.point.y)/2*i};this.spots.push(u)}this.spots.sort((e,t)=>e.depth-t.depth)}write({body:e,x:t,y:n},r,i){let{pen:a}=this,o=e.saying&&cv(e.saying.text);a.font=`${r?600:500} 12px ${av}`;let s=Ca(e),c=a.measureText(s).width/2+6,l={left:t-c,right:t+c,top:n-18,bottom:n},u=r||!i.some(e=>Q_(l,e))?l:o?ev(l,t,i):null;u&&(i.push(u),this.pill(u,r?`rgba(255, 212, 107, .95)`:`rgba(28, 27, 24, .62)`),a.fillStyle=r?`#2a2417`:e.agent.connected?`#fffdf6`:`#b9b5aa`,a.fillText(s,(u.left+u.right)/2,u.bottom-8.5),o&&this.bubble(o,t,u.top-4,i))}bubble(e,t,n,r){let{pen:i}=this;i.font=`italic 13px ${av}`;let a=i.measureText(e).width/2+9,o=ev({left:t-a,right:t+a,top:n-22,bottom:n},t,[...r,...sv(this.canvas.clientWidth)]);o&&(r.push(o),this.pill(o,`rgba(253, 250, 242, .94)`),i.fillStyle=`#2b2a26`,i.fillText(e,(o.left+o.right)/2,o.bottom-10.5))}pill({left:e,top:t,right:n,bottom:r},i){this.pen.fillStyle=i,this.pen.beginPath(),this.pen.roundRect(e,t,n-e,r-t,6),this.pen.fill()}},sv=e=>[{left:-1/0,right:0,top:-1/0,bottom:1/0},{left:e,right:1/0,top:-1/0,bottom:1/0}],cv=e=>q_(e.replace(/\s+/g,` `).trim(),e=>[...e].length<=iv),lv=1500,uv=2e3,dv=new ld({uniforms:{...Vg,uSize:{value:1}},transparent:!0,depthWrite:!1,blending:2,vertexShader:`
    uniform float uSize, uSeconds;
    uniform vec2 uReach;
    varying float vShare;
    void main() {
      vec4 seen = modelViewMatrix * vec4(position, 1.0);
      float far = length(seen.xyz);
      float flicker = 0.92 + 0.08 * sin(uSeconds * 9.0 + position.x * 3.0 + position.z * 7.0);
      vShare = flicker * (1.0 - smoothstep(uReach.x, uReach.y, far));
      gl_PointSize = uSize * 2.6 / max(2.0, -seen.z);
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:`
    uniform float uNight;
    varying float vShare;
    void main() {
      float far = length(gl_PointCoord * 2.0 - 1.0);
      float glow = pow(max(0.0, 1.0 - far), 2.2);
      gl_FragColor = vec4(vec3(1.0, 0.66, 0.28) * glow * vShare * uNight * 0.75, 1.0);
    }
  `}),fv=class{points=new qu(new $l,dv);at=-1/0;constructor(){this.points.frustumCulled=!1,this.points.renderOrder=2}update(e,t,n){if(dv.uniforms.uSize.value=t,this.points.visible=Vg.uNight.value>.05,!this.points.visible||n-this.at<lv)return;this.at=n;let r=[...e.chunks.values()].flatMap(t=>t.lamps(e.looks)).slice(0,uv);this.points.geometry.dispose(),this.points.geometry=new $l,this.points.geometry.setAttribute(`position`,new Rl(new Float32Array(r.flatMap(({x:e,y:t,z:n})=>[e,t,n])),3)),r.length||(this.points.visible=!1)}},pv=40,mv=.035;function hv(){let e=[],t=[];for(let n=0;n<pv;n++){let r=n/pv*2*Math.PI;for(let t of[.62,.72])e.push(Math.sin(r)*t,.06,Math.cos(r)*t);let i=(n+1)%pv;t.push(2*n,2*n+1,2*i+1,2*n,2*i+1,2*i)}return _v(e,t)}function gv(e=[1,1,1]){let t=[],n=[];for(let r=0;r<3;r++)for(let[i,a]of[[0,0],[0,1],[1,0],[1,1]]){let o=t.length/3;for(let n=0;n<8;n++){let o=[0,0,0],[s,c]=[(r+1)%3,(r+2)%3];o[r]=(n&1)*e[r],o[s]=i*e[s]+(n&2?mv:-.035),o[c]=a*e[c]+(n&4?mv:-.035),t.push(...o)}for(let e of[[0,1,3,2],[4,5,7,6],[0,1,5,4],[2,3,7,6]]){let[t,r,i,a]=e.map(e=>o+e);n.push(t,r,i,t,i,a,t,i,r,t,a,i)}}return _v(t,n)}function _v(e,t){let n=new $l;return n.setAttribute(`position`,new Rl(new Float32Array(e),3)),n.setIndex(t),n}var vv=class{group=new Zc;ring=new Cu(hv(),Jg);frame=new Cu(gv(),Jg);box=new Cu(gv(),Jg);enclosed;constructor(){for(let e of[this.ring,this.frame,this.box])e.frustumCulled=!1,e.visible=!1,this.group.add(e)}update(e,t){this.ring.visible=t!==void 0,t&&this.ring.position.set(t.x,t.y,t.z);let n=e?.aim??null;this.frame.visible=n!==null,n&&this.frame.position.set(n[0],n[1],n[2])}enclose(e){if(this.box.visible=e!==void 0,!e||e===this.enclosed)return;let{low:t,high:n}=e;this.enclosed=e,this.box.position.set(t[0],t[1],t[2]),this.box.geometry.dispose(),this.box.geometry=gv([n[0]-t[0]+1,n[1]-t[1]+1,n[2]-t[2]+1])}},yv=40,bv=400,xv=class{gl;cost=0;fence=null;began=0;restUntil=0;constructor(e){this.gl=e}ready(e){if(this.fence){let{gl:t}=this;if(t.getSyncParameter(this.fence,t.SYNC_STATUS)!==t.SIGNALED&&!t.isContextLost())return!1;t.deleteSync(this.fence),this.fence=null;let n=e-this.began;this.cost+=(n-this.cost)*.1,this.restUntil=n>yv?e+Math.min(n,bv):e}return e>=this.restUntil}drawn(e){this.began=e,this.fence=this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0),this.gl.flush()}get slow(){return this.cost>yv}forget(){this.cost=0}},Sv=6,Cv=2200,wv=new ld({uniforms:Vg,vertexShader:`
    varying vec2 vPlace;
    varying vec3 vSeen;
    void main() {
      vec4 at = modelMatrix * vec4(position, 1.0);
      vPlace = at.xz;
      vec4 seen = viewMatrix * at;
      vSeen = seen.xyz;
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:`
    uniform vec3 uHaze;
    uniform vec2 uReach;
    varying vec2 vPlace;
    varying vec3 vSeen;
    void main() {
      float far = length(vSeen);
      float line = smoothstep(0.8, 0.95, abs(fract((vPlace.x + vPlace.y) / 3.0) * 2.0 - 1.0));
      float near = 1.0 - smoothstep(40.0, 160.0, far);
      gl_FragColor = vec4(uHaze * (0.93 - 0.09 * line * near), 1.0);
      gl_FragColor.rgb = mix(gl_FragColor.rgb, uHaze, smoothstep(uReach.x * 0.4, uReach.y * 0.8, far));
    }
  `}),Tv=class{mesh;constructor(){let e=new $l,t=[[-1,-1],[-1,1],[1,1],[1,-1]].flatMap(([e,t])=>[e*Cv,0,t*Cv]);e.setAttribute(`position`,new Rl(new Float32Array(t),3)),e.setIndex([0,1,2,0,2,3]),this.mesh=new Cu(e,wv),this.mesh.frustumCulled=!1}update(e){this.mesh.position.set(Math.round(e.x/3)*3,Sv,Math.round(e.z/3)*3)}},Ev=1200,Dv=class{still;points;constructor(e){this.still=e;let t=Float32Array.from({length:Ev*3},Math.random),n=new $l;n.setAttribute(`position`,new Rl(t,3)),this.points=new qu(n,Yg),this.points.frustumCulled=!1}update(e,t,n){this.points.visible=!this.still&&(e===`STORM`||e===`COLD`),Yg.uniforms.uMiddle.value.copy(t),Yg.uniforms.uSnow.value=+(e===`COLD`),Yg.uniforms.uSize.value=n/700}};Hn(),Cn();var Ov=2,kv=.5,Av=16,jv=30,Mv=1,Nv=250,Pv=6e3,Fv=300,Iv=2.2,Lv=`.going-on, .views, .tools, .small-map, .tour, .notice, .past-banner`,Rv=300,zv=.5;G.enabled=!1;var Bv=class{canvas;overlay;viewer;camera;renderer;pace;scene=new al;figures=new L_;marks=new vv;borders=new r_;chips=new __;paper=new Tv;lamps=new fv;labels;map;small=null;coveredBy=[];coveredAt=-1/0;smallAt=0;precipitation;haze=new K;ray=new U;ground=null;world=null;arrived=!1;wasMap=!1;weathered=!1;lies={COLD:0,STORM:0};still;drawnAt=0;ratio=Math.min(devicePixelRatio,Ov);resized=new ResizeObserver(()=>this.resize());keep=null;steady=!1;constructor(e,t,n){this.canvas=e,this.overlay=t,this.viewer=n,this.still=matchMedia(`(prefers-reduced-motion: reduce)`).matches,this.camera=new f_(this.still),this.precipitation=new Dv(this.still),this.labels=new ov(t),this.map=new xg(n),e.addEventListener(`pointermove`,({offsetX:e,offsetY:t})=>{this.map.pointer={x:e,y:t}}),e.addEventListener(`pointerleave`,()=>{this.map.pointer=null}),this.renderer=new gh({canvas:e,antialias:!0,powerPreference:`high-performance`}),this.renderer.outputColorSpace=Es,this.pace=new xv(this.renderer.getContext()),this.scene.add(this.figures.group,this.marks.group,this.borders.mesh,this.chips.mesh,this.lamps.points,this.paper.mesh,this.precipitation.points),this.resized.observe(e)}dispose(){this.resized.disconnect(),this.show(null),this.renderer.dispose(),this.renderer.forceContextLoss()}pick(e,t){return this.viewer.isMap?this.map.pick(e,t):this.labels.near(e,t,jv)??this.thingAt(e,t)}thingAt(e,t){let{world:n}=this.viewer;if(!n)return null;let{clientWidth:r,clientHeight:i}=this.canvas,a=this.camera.lens.position,o=this.ray.set(2*e/r-1,1-2*t/i,.5).unproject(this.camera.lens).sub(a).normalize(),s=n.terrain.hit(a,o,this.camera.horizon);if(!s)return null;let c=`@${s.x},${s.y},${s.z}`;return Dh.includes(n.looks.palette[s.block])?c:Ch(this.viewer.buildings,s.x,s.y,s.z)?.id??c}chosenBuilding(){let{see:e,papers:t}=this.viewer;return e&&vh(e)?t.buildings.find(({id:t})=>t===e):void 0}covered(e){if(e-this.coveredAt<Rv)return this.coveredBy;this.coveredAt=e;let{left:t,top:n}=this.canvas.getBoundingClientRect(),r=[...this.canvas.parentElement?.querySelectorAll(Lv)??[]].map(e=>e.getBoundingClientRect());return this.coveredBy=r.map(({left:e,top:r,right:i,bottom:a})=>({left:e-t,top:r-n,right:i-t,bottom:a-n})),this.coveredBy}picture(){return new Promise(e=>{this.keep=e})}copy(){let e=document.createElement(`canvas`);[e.width,e.height]=[this.canvas.width,this.canvas.height];let t=e.getContext(`2d`);for(let n of[this.canvas,this.overlay])t.drawImage(n,0,0,e.width,e.height);return e}drawSmallInto(e){this.small=e?.getContext(`2d`)??null,e&&this.small&&(e.width=e.height=336,this.small.setTransform(Ov,0,0,Ov,0,0))}frame(e){if(this.viewer.place!==`world`||!this.pace.ready(e))return;let t=e-this.drawnAt;this.drawnAt=e,this.draw(e,t),this.pace.drawn(e)}draw(e,t){let{world:n,isMap:r}=this.viewer;n!==this.world&&this.show(n),r!==this.wasMap&&(this.wasMap=r,r?this.camera.enterMap():this.camera.leaveMap()),this.adapt();let i=n?.crowd.list??[],a=i.map(t=>t.pose(e)),o=i.findIndex(e=>e.id===this.viewer.attention.watched);if(n&&this.aim(n,a[o]),this.camera.update(t),n&&r){let{x:t,z:r}=this.camera.target;this.map.draw(this.labels.pen,n,a,pg(t,r,this.camera.distance,this.canvas.clientWidth,this.canvas.clientHeight),e)}else if(this.light(n,e,t),this.ground?.update(this.camera.target.x,this.camera.target.z,Math.min(t,Fv)),this.paper.update(this.camera.target),this.figures.update(i,a,e,this.camera.distance),this.marks.update(i[o],a[o]),this.marks.enclose(this.chosenBuilding()),n&&(this.chips.update(this.still?[]:i,a,n.terrain,e),this.lamps.update(n.terrain,this.canvas.height,e)),n&&this.borders.update(this.viewer.society?.lands??[],this.viewer.see,n.terrain,e),this.precipitation.update(n?.tick?.weather??``,this.camera.target,this.canvas.height),this.renderer.render(this.scene,this.camera.lens),this.tell(),this.labels.update(i,a,this.camera.lens,this.viewer.attention.watched,n?.terrain??null,this.covered(e)),this.keep?.(this.copy()),this.keep=null,n&&this.small&&e-this.smallAt>Nv){this.smallAt=e;let{x:t,z:r}=this.camera.target,i=this.camera.distance*.6,o=pg(t,r,Math.max(60,this.camera.distance)*Iv,168,168);this.map.drawSmall(this.small,n,a,o,this.camera.side,i,e)}}tell(){let{dataset:e}=this.canvas,{x:t,z:n}=this.camera.target,r={draws:String(this.renderer.info.render.calls),behind:String(this.ground?.behind??0),at:`${Math.round(t)},${Math.round(n)}`,whole:String(this.viewer.world?.terrain.wholeAround(t,n,3)??0)};Object.keys(r).some(t=>e[t]!==r[t])&&Object.assign(e,r)}show(e){this.ground?.dispose(),this.ground&&this.scene.remove(this.ground.group),this.ground=e&&new G_(e.terrain),this.ground&&this.scene.add(this.ground.group),this.world=e}aim(e,t){let{camera:n,viewer:r}=this;if(!this.steady){if(r.attention.opensAt&&(n.lookAt(r.attention.opensAt.x,n.wished.y,r.attention.opensAt.z),n.cut(),r.attention.opensAt=null),r.attention.following&&t)n.lookAt(t.x,t.y+Mv,t.z),this.arrived||n.cut(),this.arrived=!0;else{let t=e.terrain.groundAt(n.wished.x,n.wished.z);t!==void 0&&(n.wished.y=t+1+Mv)}}}light(e,t,n){let r=e?.tick,i=Nn(r?.time_of_day??.5,r?.weather??`CLEAR`);Hg(i),this.renderer.setClearColor(this.haze.setRGB(...i.haze)),Vg.uSeconds.value=this.still?0:t/1e3%3600;let a=this.weathered?1-Math.exp(-n/Pv):1;this.weathered||=r!=null;for(let[e,t]of[[Vg.uFrost,`COLD`],[Vg.uWet,`STORM`]])this.lies[t]+=(+(r?.weather===t)-this.lies[t])*a,e.value=this.lies[t];Vg.uFocus.value=this.camera.distance,Vg.uReach.value.set(this.camera.horizon*zv,this.camera.horizon)}resize(){let{clientWidth:e,clientHeight:t}=this.canvas;e&&t&&(this.renderer.setPixelRatio(this.ratio),this.renderer.setSize(e,t,!1),this.labels.resize(e,t,Math.min(devicePixelRatio,Ov)),this.camera.lens.aspect=e/t)}adapt(){(!this.ground||this.ground.behind>Av)&&this.pace.forget(),!(!this.pace.slow||this.ratio<=kv)&&(this.ratio=Math.max(kv,this.ratio*.75),this.viewer.coarseAt||(this.viewer.coarseAt=performance.now(),this.viewer.tellsCoarse=Th(`thorp-coarser`)),this.pace.forget(),this.resize())}};M(),pe(),z(),ce();var Vv=`0.1`,Hv=500,Uv=5e3,Wv=8e3,Gv=2e3,Kv=1013,qv=class extends Error{},Jv=class extends Error{};async function Yv(){let e=await fe(`admin/v1/observer/bootstrap`,{signal:AbortSignal.timeout(Wv)});if(e.ok)return e.json();let{details:t}=await e.json().catch(()=>({details:e.statusText}));throw e.status===401&&ie(),e.status===401||e.status===403?new Jv(String(t)):new qv(String(t))}async function Xv(){let e=await fe(`v1/status`,{signal:AbortSignal.timeout(Wv)});if(!e.ok)return null;let{state:t,details:n=``,founding:r}=await e.json();return r?{state:`founding`,founding:r}:t===`opening`?{state:`opening`,why:n}:null}var Zv=class{listener;socket=null;wish=null;wake=()=>{};since=null;constructor(e){this.listener=e,addEventListener(`online`,()=>this.retry())}subscribe(e){this.wish=e,this.socket?.readyState===WebSocket.OPEN&&this.send()}retry(){this.wake()}async runOther(e){for(;;){let t=await Ur(ee(e));if(t?.state===`ready`){this.listener.begin(await Yv()),this.listener.link({state:`live`}),this.listener.beginAt(t.begins_tick??t.first_tick??1);return}let n=e.startsWith(`match:`)?`match`:`run`,r=t?.why??`there is no such ${n} here`,i=!t||t.state===`refused`,a=new Date().toTimeString().slice(0,5);this.listener.link(i?{state:`away`,why:`This ${n} has no world to show: ${r}.`,since:a}:{state:`opening`,why:r}),await this.sleep(Gv)}}async runFilm(){let[e,t]=await Promise.all([Yv(),fe(`about`)]);this.listener.begin(e),this.listener.link({state:`live`}),this.listener.beginAt((await t.json()).first)}async run(){for(let e=Hv;;e=Math.min(e*1.6,Uv)){let t=`The server cannot be reached.`,n=null;try{let n=await Xv();if(n){this.listener.link(n),e=Hv,await this.sleep(Gv);continue}this.listener.begin(await Yv());let{opened:r,code:i}=await this.follow();r&&(e=Hv),this.since=null,i===Kv&&(t=`As many watch as this server has room for.`,e=Uv)}catch(e){e instanceof Jv&&(n=e.message),e instanceof qv&&(t=`The server says: ${e.message}.`)}this.since??=new Date().toTimeString().slice(0,5),this.listener.link(n===null?{state:`away`,why:t,since:this.since}:{state:`locked`,why:n}),await this.sleep(e)}}sleep(e){return new Promise(t=>{this.wake=t,setTimeout(t,e)})}follow(){let e=re(`admin/v1/observer/ws`);return e.protocol=e.protocol.replace(`http`,`ws`),new Promise(t=>{let n=!1,r=new WebSocket(e);this.socket=r,r.onopen=()=>{n=!0,this.send(),this.listener.link({state:`live`})},r.onmessage=({data:e})=>this.listener.hear(JSON.parse(e)),r.onclose=({code:e})=>t({opened:n,code:e})})}send(){this.wish&&this.socket?.send(JSON.stringify({type:`SUBSCRIBE`,protocol_version:Vv,...this.wish}))}};M(),wa();var Qv=12e3,$v=300,ey=2e4,ty=`thorp-visited`,ny=60,ry=4,iy=class{viewer;changed;on=!1;why=``;cutAt=-1/0;shown=[];kind=``;people=[];asking=!1;idleSince=null;constructor(e,t){this.viewer=e,this.changed=t;for(let e of[`pointerdown`,`wheel`,`keydown`,`click`])addEventListener(e,e=>this.end(e),{capture:!0});let n=matchMedia(`(prefers-reduced-motion: reduce)`).matches;Th(ty)&&!i().query&&e.place===`world`&&!n&&(this.idleSince=1/0)}toggle(){this.on=!this.on,this.why=``,this.cutAt=-1/0,this.changed()}end(e){this.idleSince=null,!(!this.on||e instanceof KeyboardEvent&&e.key.toLowerCase()===`t`)&&(this.on=!1,this.changed())}async step(e){let{viewer:t}=this;if(this.idleSince!==null&&t.world?.tick&&!document.hidden&&(this.idleSince=Math.min(this.idleSince,e),e-this.idleSince>ey&&(this.idleSince=null,this.on||this.toggle())),!this.on||this.asking||e-this.cutAt<Qv||t.place!==`world`||document.hidden)return;this.asking=!0;let{tick:n}=t.time,r=(await t.time.marks(n-$v,n,1))?.marks??[];if(this.asking=!1,!this.on)return;this.cutAt=e;let i=this.choose(r);i?this.show(i):this.visitSomebody(e),this.changed()}choose(e){let t=e.filter(e=>!this.shown.includes(oy(e))&&this.placeOf(e)!==null).filter(({kind:e})=>e!==this.kind),n=t.filter(({refs:e})=>!e.some(e=>this.people.includes(e)));return[...n.length?n:t].sort((e,t)=>t.weight-e.weight||t.tick-e.tick)[0]}placeOf({text:e,refs:t,kind:n,tick:r}){let{viewer:i}=this,a=n===`built`&&i.buildings.find(({completed_tick:e})=>e===r);if(a)return{building:a};let o=t.filter(e=>_(e)&&i.world?.crowd.get(e)).map(t=>({id:t,at:e.indexOf(i.nameOf(t))})).filter(({at:e})=>e>=0).sort((e,t)=>e.at-t.at)[0];return o?{person:o.id}:null}show(e){let{viewer:t}=this,n=this.placeOf(e);if(this.why=e.text,this.kind=e.kind,this.shown=[oy(e),...this.shown].slice(0,ny),n?.building){let{x:e,z:r}=xh(n.building);t.goTo(e,r)}else n?.person&&this.meet(n.person)}meet(e){this.people=[e,...this.people.filter(t=>t!==e)].slice(0,ry),this.viewer.along(e)}visitSomebody(e){let{viewer:t}=this,n=t.world?.crowd.list.filter(({agent:e})=>e.connected)??[],r=n.filter(({id:e})=>!this.people.includes(e)),i=[r.filter(({agent:e})=>e.work_task),r,n].find(e=>e.length>0)??[],a=i[Math.floor(e/Qv%Math.max(1,i.length))];this.kind=``,this.why=a?ay(a.agent):`Nothing happens`,a&&this.meet(a.id)}},ay=e=>e.intent&&_a(e)===`standing`?`${e.name}: “${e.intent}”`:`${e.name}, ${_a(e)}`,oy=({tick:e,number:t})=>`${e}.${t}`;function sy(e,t){ky.__h&&ky.__h(Sy,e,Ey||t),Ey=0;var n=Sy.__H||(Sy.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function cy(e){return Ey=1,ly(by,e)}function ly(e,t,n){var r=sy(xy++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):by(void 0,t),function(e){var t=(r.__N||r.__)[0],n=r.t(t,e);Ty(t,n)||(r.__N=[n,r.__[1]],r.__c.setState({}))}],r.__c=Sy,!Sy.__f)){Sy.__f=!0;var i=Sy.shouldComponentUpdate;Sy.shouldComponentUpdate=function(e,t,n){var r=this.__H;if(!r)return!0;var a=!1,o=this.props!=e;if(r.__.some(function(e){e.__N&&(a=!0,Ty(e.__[0],e.__N[0])||(o=!0))}),i){var s=i.call(this,e,t,n);return a?s||o:s}return!a||o}}return r.__}function uy(e,t){var n=sy(xy++,3);!ky.__s&&yy(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,Sy.__H.__h.push(n))}function dy(e,t){var n=sy(xy++,4);!ky.__s&&yy(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,Sy.__h.push(n))}function fy(e){return Ey=5,py(function(){return{current:e}},[])}function py(e,t){var n=sy(xy++,7);return yy(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function my(){var e;do{for(;e=Oy.shift();)try{_y(e)}catch(t){ky.__e(t,{__:(e=e.__P)&&e.__v})}for(;e=Dy.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(_y),t.__h.some(vy),t.__h=[]}catch(n){t.__h=[],ky.__e(n,e.__v)}}}while(Oy.length)}function hy(e){var t,n=function(){clearTimeout(r),Iy&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Iy&&(t=requestAnimationFrame(n))}function gy(e){e!=1&&wy==ky.requestAnimationFrame||((wy=ky.requestAnimationFrame)||hy)(my)}function _y(e){var t=Sy,n=e.__c;typeof n==`function`&&(e.__c=void 0,n()),Sy=t}function vy(e){var t=Sy;e.__c=e.__(),Sy=t}function yy(e,t){return!e||e.length!=t.length||t.some(function(t,n){return!Ty(t,e[n])})}function by(e,t){return typeof t==`function`?t(e):t}var xy,Sy,Cy,wy,Ty,Ey,Dy,Oy,ky,Ay,jy,My,Ny,Py,Fy,Iy,Ly=n((()=>{Ty=Object.is,Ey=0,Dy=[],Oy=[],ky=It,Ay=ky.__b,jy=ky.__r,My=ky.diffed,Ny=ky.__c,Py=ky.unmount,Fy=ky.__,ky.__b=function(e){Sy=null,Ay&&Ay(e)},ky.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Fy&&Fy(e,t)},ky.__r=function(e){jy&&jy(e),xy=0;var t=(Sy=e.__c).__H;t&&(Cy==Sy?Sy.__h=[]:(t.__h.some(_y),t.__h.some(vy),xy=0),t.__h=[],t.__.some(function(e){e.__N&&(e.__=e.__N),e.u=e.__N=void 0})),Cy=Sy},ky.diffed=function(e){My&&My(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&gy(Dy.push(t)),t.__H.__.some(function(e){e.u&&(e.__H=e.u)})),Cy=Sy=null},ky.__c=function(e,t){t.some(function(e){try{e.__h.some(_y),e.__h=e.__h.filter(function(e){return!e.__||vy(e)})}catch(t){e.__h=[function(){throw t}]}}),Ny&&Ny(e,t)},ky.unmount=function(e){Py&&Py(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n&&=n.__c}r.__P=n,gy(Oy.push(r))}else _y(r)}catch(e){t=e}}),r.__H=void 0,t&&ky.__e(t,r.__v))},Iy=typeof requestAnimationFrame==`function`})),Ry=n((()=>{}));function Y(e,t,n,r,i,a){t||={};var o,s,c=t;if(`ref`in c&&typeof e!=`function`)for(s in c={},t)s==`ref`?o=t[s]:c[s]=t[s];var l={type:e,props:c,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:zy,__v:--By,__i:-1,__u:0};return(i||a)&&(l.__source=i,l.__self=a),It.vnode&&It.vnode(l),l}var zy,By,X=n((()=>{$t(),zy=Symbol.for(`pv`),By=0,Array.isArray}));Ly(),z(),Ry(),X();var Vy=e=>e.toLocaleString(`en-GB`),Hy=240,Uy=56;function Wy({viewer:e,second:t,attach:n,compareMoments:r,end:i}){let[a,o]=cy(t.share),s=fy(null),c=fy(null);uy(()=>n(s.current,c.current),[t]);let{time:l}=e,{comparison:u}=t,d=t.isShared,f=u?.split.tick??null,p=t.time.tape.state!==null&&l.tick>t.time.liveTick,m=t.why||t.time.problem||(t.world?``:`loading…`);return Y(`div`,{class:`compare beside`,id:`beside`,style:{"--share":`${a}%`},"data-shared":d,"data-ready":t.world!==null,"data-label":u?.there.label,children:[Y(`div`,{class:`kept`,"data-hidden":!t.isShown,children:[Y(`canvas`,{class:`second`,"aria-label":`The other run`,ref:s}),Y(`canvas`,{class:`overlay`,"aria-hidden":`true`,ref:c})]}),Y(`input`,{type:`range`,min:`0`,max:`100`,value:a,"aria-label":`Where the two runs meet`,"aria-valuetext":`${a} % of this run`,onInput:({currentTarget:e})=>{t.share=Number(e.value),o(t.share)}}),Y(`p`,{class:`side-name here`,children:[Y(`small`,{children:`here`}),` `,Y(`strong`,{children:qy(u?.here,`this run`)}),` `,Y(Gy,{side:u?.here})]}),Y(`p`,{class:`side-name there`,role:`status`,children:[Y(`small`,{children:`there`}),` `,Y(`strong`,{children:qy(u?.there,`the other run`)}),u?.there.changed&&Y(`bdi`,{children:[` `,u.there.changed]}),` `,Y(Gy,{side:u?.there}),m&&Y(`em`,{children:[` `,m]}),p&&Y(`em`,{children:[` `,t.hasGrown?`has come to`:`ended with`,` tick `,Vy(t.time.liveTick)]}),t.notice&&Y(`em`,{id:`beside-notice`,children:[` `,Y(`bdi`,{children:t.notice})]})]}),Y(`p`,{class:`moment-shown`,children:[Y(`strong`,{children:R(l.tick,l.dayTicks)}),` `,Y(`small`,{children:d?`both are one up to here`:`tick ${Vy(l.tick)}`}),` `,Y(`button`,{type:`button`,id:`to-split`,disabled:f===null,onClick:()=>Jy(e,(f??0)+1),children:`To the split`}),` `,Y(`button`,{type:`button`,id:`two-moments`,onClick:r,children:`Two moments`}),` `,Y(`button`,{type:`button`,id:`end-beside`,onClick:i,children:[`End `,Y(`kbd`,{children:`C`})]})]})]})}function Gy({side:e}){return!e||e.verified===null?null:Y(`em`,{class:`verified`,"data-verified":e.verified,children:e.verified?`verified`:`not verified: ${e.unverified}`})}function Ky({second:e,isThere:t}){let n=t?e.comparison?.there:e.comparison?.here;return Y(`p`,{class:`of-run ${t?`there`:`here`}`,id:`of-run`,children:[Y(`small`,{children:t?`there`:`here`}),` `,Y(`strong`,{children:qy(n,t?`the other run`:`this run`)}),n?.changed&&Y(`bdi`,{children:[` `,n.changed]})]})}var qy=(e,t)=>e?.label??t;function Jy(e,t){e.time.playing=!1,e.time.jump(t)}function Yy({viewer:e,second:t}){let{comparison:n,why:r}=t,i=t=>()=>{let n=e.world?.crowd.list.find(({agent:e})=>e.name===t.who);n&&e.along(n.id),Jy(e,t.tick)};if(!n)return Y(`section`,{class:`differences`,id:`differences`,"aria-label":`What differs`,children:[Y(`h2`,{children:`What differs`}),Y(`p`,{class:`none`,children:r||`Looking where the two runs part…`})]});let{here:a,there:o,split:s,differences:c,note:l,society:u}=n,d=[a,o].filter(e=>e.changed);return Y(`section`,{class:`differences`,id:`differences`,"aria-label":`What differs`,"data-split":s.tick,children:[Y(`h2`,{children:`What differs`}),Y(`p`,{class:`split`,children:Xy(s.text)}),d.map(e=>Y(`p`,{children:[Y(`b`,{children:[e===a?`Changed here`:`Changed there`,`:`]}),` `,Y(`bdi`,{children:e.changed})]})),Y(`ol`,{children:c.map(t=>Y(`li`,{"data-side":t.side,"data-kind":t.kind,children:Y(`button`,{type:`button`,onClick:i(t),children:[Y(`bdi`,{children:t.text}),` `,Y(`small`,{children:R(t.tick,e.time.dayTicks)})]})}))}),l&&Y(`p`,{class:`none`,id:`differences-note`,children:Xy(l)}),Y(`h3`,{children:[`The society `,Y(`small`,{class:`key here`,children:qy(a,`here`)}),` `,Y(`small`,{class:`key there`,children:qy(o,`there`)})]}),Y(`div`,{class:`curves`,children:u.curves.map(t=>Y(Qy,{curve:t,of:u,split:s.tick,viewer:e,labels:[a.label,o.label]}))}),u.note&&Y(`p`,{class:`none`,id:`curves-note`,children:Xy(u.note)})]})}var Xy=e=>`${e.charAt(0).toUpperCase()}${e.slice(1)}.`,Zy=(e,t)=>e===`gini`?t.toFixed(2):Vy(Math.round(t));function Qy({curve:{key:e,title:t,here:n,there:r},of:i,split:a,viewer:o,labels:s}){let c=[...n,...r].map(([,e])=>e),l=Math.max(...c,e===`gini`?.01:1),u=Math.max(1,i.last-i.first),d=e=>(e-i.first)/u*Hy,f=e=>e.map(([e,t])=>`${d(e).toFixed(1)},${(Uy-t/l*Uy).toFixed(1)}`).join(` `),[p,m]=[n,r].map(t=>Zy(e,t.at(-1)?.[1]??0)),h=s[0]===s[1]?[`here`,`there`]:s;return Y(`figure`,{"data-curve":e,children:[Y(`figcaption`,{children:[t,` `,Y(`small`,{children:[Y(`b`,{class:`here`,children:p}),` · `,Y(`b`,{class:`there`,children:m})]})]}),Y(`svg`,{viewBox:`-2 -3 244 62`,preserveAspectRatio:`none`,role:`img`,"aria-label":`${t}: ${p} ${h[0]}, ${m} ${h[1]}`,onClick:e=>{let t=e.currentTarget.getBoundingClientRect(),n=Math.max(0,Math.min(1,(e.clientX-t.left)/t.width));Jy(o,Math.round(i.first+n*u))},children:[a!==null&&a>=i.first&&Y(`line`,{class:`split`,x1:d(a),x2:d(a),y1:-3,y2:59,children:Y(`title`,{children:`the split`})}),Y(`polyline`,{class:`there`,points:f(r)}),Y(`polyline`,{class:`here`,points:f(n)})]})]})}Ly(),z(),X();function $y({viewer:e,kept:t,end:n}){let[r,i]=cy(50),a=fy(null);dy(()=>a.current.replaceChildren(t.picture),[t]);let{time:o}=e,{tick:s,dayTicks:c,loading:l,problem:u}=o,d=e=>()=>o.jump(Math.max(1,t.tick-e));return Y(`div`,{class:`compare`,id:`compare`,style:{"--share":`${r}%`},children:[Y(`div`,{class:`kept`,"data-live":t.wasLive,ref:a}),Y(`input`,{type:`range`,min:`0`,max:`100`,value:r,"aria-label":`Where the two moments meet`,"aria-valuetext":`${r} % of ${R(s,c)}`,onInput:({currentTarget:e})=>i(Number(e.value))}),Y(`p`,{class:`moment-shown`,children:[Y(`strong`,{children:R(s,c)}),` `,Y(`small`,{children:u??(l?`loading…`:`tick ${s}`)}),` `,Y(`button`,{type:`button`,id:`hour-before`,onClick:d(Math.round(c/24)),children:`an hour before`}),` `,Y(`button`,{type:`button`,id:`day-before`,disabled:t.tick<=c,onClick:d(c),children:`a day before`})]}),Y(`p`,{class:`moment-kept`,children:[Y(`strong`,{children:R(t.tick,c)}),` `,Y(`small`,{children:[`tick `,t.tick]}),` `,Y(`button`,{type:`button`,onClick:n,children:[`End `,Y(`kbd`,{children:`C`})]})]})]})}function eb(e,t,n,r,i){e.beginPath(),t===`people`?e.arc(n,r,i*.85,0,2*Math.PI):t===`talk`?(e.moveTo(n,r-i),e.lineTo(n+i,r+i*.8),e.lineTo(n-i,r+i*.8)):(e.moveTo(n,r-i),e.lineTo(n+i,r),e.lineTo(n,r+i),e.lineTo(n-i,r)),e.fill()}function tb(e,t,n,r,i,{pointer:a,apart:o}){let{clientWidth:s,clientHeight:c}=e,l=e.getContext(`2d`);if(!l||!s||!c||!i.tape.state)return;let u=Math.min(devicePixelRatio,2);(e.width!==Math.round(s*u)||e.height!==Math.round(c*u))&&(e.width=Math.round(s*u),e.height=Math.round(c*u)),l.setTransform(u,0,0,u,0,0),l.clearRect(0,0,s,c);let d=i.dayTicks,f=Math.max(1,t.to-t.from),p=e=>(e-t.from)/f*s,m=c-_b;rb(l,kb(`night`),t,d,p,m),ib(l,kb,i,t,p,m),r&&ab(l,kb(`work`),n,r,p,m);let h=ob(l,kb,t,d,s,p,m,c);o&&h.push(...nb(l,o,p,s,m,h));for(let e of r?.marks??[]){let n=pb.indexOf(e.sort);n<0||e.tick<t.from||e.tick>t.to||(l.fillStyle=kb(e.sort),eb(l,e.sort,p(e.tick),hb+n*gb,vb))}ub(l,kb,sb(r?.marks??[],t,a,f/s*7),p,s,h),db(l,kb(`past`),i,p,m),fb(l,i.isPast?kb(`past`):kb(`ink`),Math.max(Eb,Math.min(p(i.tick),s-Eb)),m,i.loading)}function nb(e,{split:t,ticks:n},r,i,a,o){e.fillStyle=kb(`past`);for(let t of n){let n=r(t);n>=0&&n<=i&&e.fillRect(n-1,a-yb,2,yb)}let s=r(t+1);if(s<0||s>i)return[];e.fillRect(s-1,0,2,a),e.font=`600 11px system-ui, sans-serif`,e.textBaseline=`middle`;let c=e.measureText(`split`).width,l=lb(s,c,i,o);return l?(e.fillText(`split`,l[0],mb/2),[[l[0],l[0]+c]]):[]}function rb(e,t,{from:n,to:r},i,a,o){e.fillStyle=t;for(let t=Math.floor(n/i-1)*i+i*.75;t<r;t+=i){let n=Math.max(a(t),0),r=a(t+i/2);r>n&&r-n<4e3&&e.fillRect(n,mb,r-n,o-mb)}}function ib(e,t,n,r,i,a){let o=[],s=Math.max(0,r.from);for(let[e,t]of n.tape.state.playable)e>s+1&&o.push({from:s,to:Math.min(e,r.to)}),s=Math.max(s,t);e.strokeStyle=t(`edge`),e.lineWidth=1;for(let t of o){let[n,r]=[Math.max(0,i(t.from)),i(t.to)];e.save(),e.beginPath(),e.rect(n,mb,r-n,a-mb),e.clip(),e.beginPath();for(let t=n-a;t<r;t+=7)e.moveTo(t,a),e.lineTo(t+a,0);e.stroke(),e.restore()}}function ab(e,t,n,r,i,a){let o=r.sorts.indexOf(`work`),s=Math.max(1,...r.counts.map(e=>e[o])),c=(n.to-n.from+1)/r.counts.length,l=a-hb-20-vb-4;e.fillStyle=t,e.globalAlpha=.55,r.counts.forEach((t,r)=>{if(!t[o])return;let u=i(n.from+r*c),d=Math.max(1.5,Math.sqrt(t[o]/s)*l);e.fillRect(u,a-d,Math.max(1,i(n.from+(r+1)*c)-u-1),d)}),e.globalAlpha=1}function ob(e,t,{from:n,to:r},i,a,o,s,c){let l=[];e.textBaseline=`middle`,e.font=`600 12px system-ui, sans-serif`;let u=a*i/(r-n),d=Math.max(1,Math.ceil(60/u));for(let c=Math.max(0,Math.floor(n/i));c*i<=r;c++){if(c%d)continue;let n=o(c*i);e.fillStyle=t(`edge`),e.fillRect(n,0,1,s),e.fillStyle=t(`ink`);let r=e.measureText(`Day ${c+1}`).width,u=Math.max(4,n+5+r>a?n-5-r:n+5);u<(l.at(-1)?.[1]??0)||(e.fillText(`Day ${c+1}`,u,mb/2),l.push([u,u+r]))}e.fillStyle=t(`edge`),e.fillRect(0,s,a,1),e.fillStyle=t(`pale`),e.font=`11px system-ui, sans-serif`,e.textAlign=`center`;let f=Ob((r-n)*24/i/a)*i/24;if(f<i)for(let t=Math.ceil(n/f)*f;t<=r;t+=f){let n=o(t);n>18&&n<a-18&&e.fillText(Pn(t%i/i),n,c-_b/2+1)}return e.textAlign=`left`,l}function sb(e,{from:t,to:n},r,i){if(r!==null){let t=e.filter(({tick:e})=>Math.abs(e-r)<=i).sort((e,t)=>t.weight-e.weight);if(t.length)return t.slice(0,1)}return e.filter(({tick:e})=>e>=t&&e<=n).sort((e,t)=>t.weight-e.weight)}function cb(e,t,n,r){let i=Math.max(4,Math.min(e+4,n-t-4));for(let[e,t]of[...r].sort(([e],[t])=>e-t))i<t+Sb&&i+Sb>e&&(i=t+Sb);let a=Math.min(n-4,...r.filter(([e])=>e>i).map(([e])=>e-Sb));return i-e>Cb||a-i<Math.min(t,wb)?null:[i,Math.min(a,i+t)]}function lb(e,t,n,r){let i=[...r].sort(([e],[t])=>e-t),a=[4,...i.map(([,e])=>e+Sb)],o=[...i.map(([e])=>e-Sb),n-4],s=([t,n])=>Math.max(t-e,e-n,0),c=a.map((e,t)=>[e,o[t]]).filter(([e,n])=>n-e>=Math.min(t,wb)).sort((e,t)=>s(e)-s(t))[0];if(!c)return null;let l=Math.max(c[0],Math.min(e+4,c[1]-t));return[l,Math.min(c[1],l+t)]}function ub(e,t,n,r,i,a){e.font=`600 11px system-ui, sans-serif`,e.textBaseline=`middle`;let o=n.length===1,s=bb;for(let c of n){if(!s)break;let n=o?Math.floor(i/8):xb,l=q_(c.text,e=>e.length<=n),u=e.measureText(l).width,d=cb(r(c.tick),u,i,a)??(o?lb(r(c.tick),u,i,a):null);if(!d)continue;let f=q_(l,t=>e.measureText(t).width<=d[1]-d[0]+1);a.push(d),s--,e.fillStyle=t(`accent`),e.fillRect(r(c.tick),2,1,25),e.fillText(f,d[0],mb/2)}}function db(e,t,n,r,i){if(n.isPast){e.fillStyle=t,e.globalAlpha=.6;for(let[t,a]of n.tape.loaded)e.fillRect(r(t),i,Math.max(2,r(a+1)-r(t)),2);e.globalAlpha=1}}function fb(e,t,n,r,i){e.fillStyle=e.strokeStyle=t,e.lineWidth=1.5,e.fillRect(n-1,0,2,r),e.beginPath(),e.moveTo(n-Eb,0),e.lineTo(n+Eb,0),e.lineTo(n+Eb,8),e.lineTo(n,14),e.lineTo(n-Eb,8),e.closePath(),i?e.stroke():e.fill()}var pb,mb,hb,gb,_b,vb,yb,bb,xb,Sb,Cb,wb,Tb,Eb,Db,Ob,kb,Ab=n((()=>{Hn(),Y_(),Bh(),pb=[`society`,`people`,`talk`],mb=18,hb=27,gb=10,_b=14,vb=4,yb=9,bb=3,xb=44,Sb=8,Cb=60,wb=90,Tb=70,Eb=6,Db=[1/12,1/4,1/2,1,2,3,6,12,24,72,240,720],Ob=e=>Db.find(t=>t/e>=Tb)??Db.at(-1),kb=e=>Lh(`--${e}`)}));function jb(e,t){let n=e.trim().toLowerCase().replace(/^tick\s*/,``).replaceAll(`,`,``);if(/^\d{3,12}$/.test(n))return Number(n);let r=/^(?:day|d)?\s*(\d{1,6})(?:\s+(\d{1,2})(?::(\d{2}))?)?$/.exec(n);if(!r)return null;let[i,a,o]=[Number(r[1]),Number(r[2]??0),Number(r[3]??0)];return i<1||a>24||o>59?null:Math.floor((i-1)*t+(a*60+o)/1440*t)}function Mb(e,t){let n=e.split(/\s*(?:-|–|\bto\b|…)\s*/).map(e=>jb(e,t));return n.some(e=>e===null)||n.length>2||n.length===2&&n[0]>=n[1]?null:n}var Nb=n((()=>{}));function Pb(e,t,n){let r=Math.floor(e*24/t),[i,a]=[Math.floor(r/24),r%24],o=[i&&`${i} ${i===1?`day`:`days`}`,a&&`${a} ${a===1?`hour`:`hours`}`].filter(Boolean);return o.length?`${o.join(` and `)} ago`:`${Math.round(e/n)} s ago`}function Fb(e){let{comparison:t}=e??{};return!t||t.split.tick===null?null:{split:t.split.tick,ticks:t.differences.map(({tick:e})=>e)}}function Ib({viewer:e,lane:t,second:n}){let r=fy(null),i=fy(null),{time:a}=e,{tick:o,isPast:s,liveTick:c,dayTicks:l}=a,{state:u}=a.tape,d=r.current?.clientWidth??0;u&&t.settle(d||800),uy(()=>{r.current&&a.tape.state&&tb(r.current,t.view,t.of,t.marks,a,{pointer:t.pointer,apart:Fb(n)})});let f=t.marks?.marks??[],p=py(()=>[...f].sort((e,t)=>t.weight-e.weight).slice(0,qb).sort((e,t)=>e.tick-t.tick).map(e=>Y(`li`,{children:Y(`button`,{type:`button`,onClick:()=>{a.playing=!1,a.jump(e.tick)},children:[R(e.tick,l),`: `,e.text]})})),[t.marks,l]);if(!u)return null;let{from:m,to:h}=t.view,g=Math.max(1,h-m),_=e=>{let t=r.current.getBoundingClientRect();return m+(e.clientX-t.left)/t.width*g},v=g/(d||1),y=t.pointer===null?void 0:t.near(t.pointer,v),x=f.filter(e=>Math.abs(e.tick-o)<=5).sort((e,t)=>t.weight-e.weight)[0],S=[R(o,l).replace(`d`,`D`),s?x?.text:`live`].filter(Boolean).join(`, `),C=e=>Math.round(e)>=c?a.goLive():a.jump(Math.round(e)),w=n=>{let r=i.current;r.setPointerCapture(n.pointerId);let a=_(n),o=n.clientX,s=e=>{if(n.shiftKey){let n=(o-e.clientX)/(d||1)*g;o=e.clientX,t.look(t.view.from+n,t.view.to+n)}else C(_(e))},c=()=>{r.removeEventListener(`pointermove`,s),r.removeEventListener(`pointerup`,c),r.removeEventListener(`pointercancel`,c)};if(r.addEventListener(`pointermove`,s),r.addEventListener(`pointerup`,c),r.addEventListener(`pointercancel`,c),n.shiftKey)return;let l=t.near(a,v);C(l?.tick??a),l&&e.choose(b(l.tick,`${l.number}`))},T=e=>{e.preventDefault(),t.zoom(Math.exp(Math.max(-80,Math.min(80,e.deltaY))*.006),_(e))},E=e=>{let n={ArrowLeft:-1,ArrowDown:-1,ArrowRight:1,ArrowUp:1}[e.key];if(n)C(o+n*Math.max(1,Math.round(g/200)));else if(e.key===`PageDown`||e.key===`PageUp`)t.toMark(e.key===`PageUp`?1:-1,!0);else return;e.preventDefault(),e.stopPropagation()},D=e.current.state===`away`,O=s?a.problem?`gone`:a.loading?`loading`:a.playing?`playing`:`paused`:D?`away`:`live`;return Y(`section`,{class:`lane`,"data-time":s?`past`:`live`,"aria-label":`Time`,children:[Y(`div`,{class:`clock`,children:[Y(`p`,{children:[Y(`strong`,{id:`when`,children:R(o,l).replace(`d`,`D`)}),` `,Y(`small`,{children:[`tick `,Y(`span`,{id:`at`,children:Yb(o)})]}),Y(`span`,{class:`pill`,id:`time`,"data-mood":s?`past`:D?`bad`:`good`,"data-state":O,children:O})]}),Y(`div`,{class:`transport`,role:`group`,"aria-label":`Play`,children:[Y(`button`,{type:`button`,title:`To the founding (Home)`,"aria-label":`To the founding`,onClick:()=>a.jump(u.playable[0]?.[0]??1),children:Y(Zb,{of:`M5 4v12M16 4l-8 6 8 6z`})}),Y(`button`,{type:`button`,id:`before`,title:`Event before ([)`,"aria-label":`Event before`,onClick:()=>t.toMark(-1,!1),children:Y(Zb,{of:`M12 4l-6 6 6 6`})}),Y(`button`,{type:`button`,id:`play`,class:`play`,title:`Play, pause (Space)`,"aria-label":s&&!a.playing?`Play`:`Pause`,onClick:()=>a.toggle(),children:Y(Zb,{of:s&&!a.playing?`M6 4l10 6-10 6z`:`M7 4v12M13 4v12`})}),Y(`button`,{type:`button`,id:`after`,title:`Next event (])`,"aria-label":`Next event`,disabled:!s,onClick:()=>t.toMark(1,!1),children:Y(Zb,{of:`M8 4l6 6-6 6`})}),Y(`button`,{type:`button`,id:`live`,title:`Live (End)`,"aria-label":`Live`,disabled:!s,onClick:()=>a.goLive(),children:Y(Zb,{of:`M15 4v12M4 4l8 6-8 6z`})}),Y(`select`,{id:`speed`,"aria-label":`Speed`,value:String(s?a.speed:1),onChange:({currentTarget:e})=>a.setSpeed(Number(e.value)),children:Aa.map(e=>Y(`option`,{value:String(e),children:[zb[e]??e,`×`]}))})]})]}),Y(`div`,{class:`track`,id:`track`,ref:i,role:`slider`,tabIndex:0,"aria-label":`Time`,"aria-valuemin":Math.round(m),"aria-valuemax":Math.round(h),"aria-valuenow":o,"aria-valuetext":S,onPointerDown:w,onWheel:T,onKeyDown:E,onPointerMove:e=>{t.pointer=_(e),r.current&&tb(r.current,t.view,t.of,t.marks,a,{pointer:t.pointer,apart:Fb(n)})},onPointerLeave:()=>{t.pointer=null},onDblClick:e=>{let n=t.near(_(e),v)?.tick??_(e);t.look(n-g/2,n+g/2)},title:y?`${R(y.tick,l)}: ${y.text}`:void 0,children:Y(`canvas`,{ref:r,"aria-hidden":`true`})}),Y(`div`,{class:`legend`,children:[Y(`ul`,{"aria-hidden":`true`,children:[Y(`li`,{"data-sort":`society`,children:`◆ society`}),Y(`li`,{"data-sort":`people`,children:`● people`}),Y(`li`,{"data-sort":`talk`,children:`▲ talk`}),Y(`li`,{"data-sort":`work`,children:`▮ work`})]}),Y(`div`,{role:`group`,"aria-label":`Which part of time`,children:[Bb.map(e=>Y(`button`,{type:`button`,"aria-pressed":t.range===e,onClick:()=>t.choose(e),children:e})),Y(`form`,{onSubmit:e=>{e.preventDefault(),t.typed(e.currentTarget.querySelector(`input`).value)},children:Y(`input`,{id:`typed`,"aria-label":`Go to a tick, a day and hour, or a range of two`,placeholder:`day 2 5:30…`,title:t.complaint||`a tick, a day and hour, or a range: 12000-13000`,"aria-invalid":t.complaint!==``,maxLength:60})})]}),t.complaint&&Y(`small`,{role:`status`,id:`complaint`,children:t.complaint}),u.done<a.tape.possible&&Y(`small`,{id:`making`,role:`status`,children:[Math.round(u.done/a.tape.possible*100),` % of the past is made`]})]}),Y(`ol`,{class:`marks-list`,"aria-label":`What mattered`,children:p})]})}function Lb({viewer:e}){let{time:t}=e;if(!t.isPast||!t.problem)return null;let n=O(),r=t.tape.state?.tick_rate_hz??5,i=n===null?`${Pb(t.liveTick-t.tick,t.dayTicks,r)}; the world lives on`:`of the match ${n}, which ended ${R(t.liveTick,t.dayTicks)}`;return Y(`div`,{class:`past-banner`,id:`past`,role:`status`,children:[t.problem?Y(`strong`,{children:t.problem}):Y(L,{children:[Y(`strong`,{children:[`You are looking at `,R(t.tick,t.dayTicks)]}),` `,Y(`span`,{children:[i,t.loading?`. Loading…`:``]})]}),null]})}function Rb({viewer:e,tick:t,children:n}){return e.time.tape.state?Y(`a`,{class:`see moment`,href:D(t),title:`${R(t,e.time.dayTicks)}, tick ${t}: go there`,onClick:n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.time.playing=!1,e.time.jump(t))},children:Y(`time`,{children:n})}):Y(`time`,{children:n})}var zb,Bb,Vb,Hb,Ub,Wb,Gb,Kb,qb,Jb,Yb,Xb,Zb,Qb=n((()=>{Ly(),M(),Ab(),Nb(),Ha(),z(),X(),zb={.25:`¼`,.5:`½`},Bb=[`Last hours`,`Today`,`All`],Vb=6,Hb=50,Ub=120,Wb=6,Gb=7,Kb=100,qb=12,Jb={BracketLeft:`[`,BracketRight:`]`},Yb=e=>e.toLocaleString(`en-GB`),Xb=class{viewer;changed;range=`All`;view={from:0,to:1};marks=null;of={from:0,to:0};pointer=null;complaint=``;timer=0;shownTick=-1;constructor(e,t){this.viewer=e,this.changed=t,addEventListener(`keydown`,e=>this.key(e))}settle(e){let{time:t}=this.viewer,{liveTick:n,dayTicks:r}=t,{state:i}=t.tape,a=t.isOver?1/0:i?.missing[0]?.first??1/0,o=Math.min(i?.playable[0]?.[0]??0,a,n);this.range===`All`?this.view={from:o,to:Math.max(n,o+Kb)}:this.range===`Today`?this.view={from:Math.max(o,n-r),to:n}:this.range===`Last hours`&&(this.view={from:Math.max(o,n-r*Vb/24),to:n});let s=t.tick;if(this.range===`Zoomed`&&t.isPast&&s!==this.shownTick&&(s<this.view.from||s>this.view.to)){let e=(this.view.to-this.view.from)/2;this.view={from:Math.max(0,s-e),to:Math.max(0,s-e)+2*e}}this.shownTick=s;let{from:c,to:l}=this.view,u=Math.max(Hb,(l-c)/100);(!this.marks||Math.abs(this.of.from-c)>u||Math.abs(this.of.to-l)>u)&&this.ask(e)}ask(e){this.timer||=window.setTimeout(async()=>{let t={...this.view},n=await this.viewer.time.marks(t.from,Math.min(t.to,this.viewer.time.liveTick),Math.max(1,Math.min(400,Math.floor(e/Wb))));this.timer=0,n&&(this.marks=n,this.of={from:t.from,to:Math.min(t.to,this.viewer.time.liveTick)},this.changed())},Ub)}zoom(e,t){let{from:n,to:r}=this.view,{liveTick:i}=this.viewer.time,a=Math.max(Kb,Math.min((r-n)*e,i+Kb)),o=t-(t-n)/(r-n)*a;this.look(o,o+a)}look(e,t){let n=Math.max(0,-e)-Math.max(0,t-Math.max(this.viewer.time.liveTick,t-e));this.range=`Zoomed`,this.view={from:e+n,to:t+n},this.changed()}typed(e){let{time:t}=this.viewer,n=Mb(e,t.dayTicks);this.complaint=n?``:`Write a tick (13500), a day and hour (day 2 5:30), or a range of two (12000-13000).`,n?.length===2?this.look(n[0],Math.max(n[0]+Kb,n[1])):n&&(t.playing=!1,t.jump(n[0])),this.changed()}choose(e){this.range=e,this.changed()}near(e,t){return(this.marks?.marks??[]).filter(n=>Math.abs(n.tick-e)<=Gb*t).sort((t,n)=>Math.abs(t.tick-e)-Math.abs(n.tick-e)||n.weight-t.weight)[0]}toMark(e,t){this.viewer.time.toMark(e,t?null:this.viewer.see)}key(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||![`world`,`society`].includes(this.viewer.place)||!this.viewer.time.tape.state)return;let{target:t}=e;if(t instanceof HTMLInputElement||t instanceof HTMLSelectElement||e.key===` `&&t instanceof HTMLButtonElement)return;let{time:n}=this.viewer,r={" ":()=>n.toggle(),",":()=>n.step(-1),".":()=>n.step(1),"[":()=>this.toMark(-1,e.altKey),"]":()=>this.toMark(1,e.altKey),Home:()=>n.jump(n.tape.state?.playable[0]?.[0]??1),End:()=>n.goLive()},i=r[e.key]??r[Jb[e.code]??``];i&&(e.preventDefault(),i())}},Zb=({of:e})=>Y(`svg`,{viewBox:`0 0 20 20`,"aria-hidden":`true`,children:Y(`path`,{d:e})})}));function Z({viewer:e,id:t,children:n}){return t?Y(`a`,{class:`see`,href:l(e.place,t,i().query,e.part),onClick:n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.open(t))},children:n||Y(`bdi`,{children:e.nameOf(t)})}):Y(L,{children:`nobody`})}function $b({viewer:e,text:t}){let n=ra(t,t=>e.nameOf(t)),r=n.length>1||n[0]?.text!==t;return Y(`q`,{class:`says`,title:r?t:void 0,children:Y(`bdi`,{children:r?n.map(t=>t.see?Y(Z,{viewer:e,id:t.see,children:t.text}):t.text):t})})}function ex({viewer:e}){let[t,n]=cy(!1);return Y(`button`,{type:`button`,class:`copy-link`,onClick:()=>void navigator.clipboard?.writeText(e.linkHere()).then(()=>n(!0),()=>{}),children:t?`Copied`:`Copy link`})}function tx({viewer:e,sentence:t}){return Y(`p`,{children:t.map(t=>typeof t==`string`?t:`intent`in t?Y($b,{viewer:e,text:t.intent}):Y(Z,{viewer:e,id:t.see,children:t.text}))})}function nx({items:e}){let t=Object.entries(e);return t.length?Y(`span`,{class:`goods`,children:t.map(([e,t])=>Y(`span`,{class:`chip`,"data-item":e,children:[Y(`i`,{style:{background:$i(e)}}),ri(e,t)]}))}):Y(L,{children:`nothing`})}var rx=n((()=>{Ly(),M(),na(),ca(),z(),X()}));$t(),Ly(),M(),xi(),z(),Qb(),rx(),X();var ix=120,ax=class extends mt{shouldComponentUpdate(e){return e.of!==this.props.of}render(){return this.props.make()}};function ox({viewer:e,sorts:t,toggle:n}){let r=e.society?.day_ticks??6e3,i=fi(e.chronicle.lines(t,ix)),a=fy({society:e.society,revision:0});a.current.society!==e.society&&(a.current={society:e.society,revision:a.current.revision+1});let o=`${location.href} ${r} ${e.time.tape.state!==null} ${a.current.revision}`;return Y(`section`,{class:`chronicle`,"aria-labelledby":`events-title`,children:[Y(`div`,{class:`heading`,children:[Y(`h2`,{id:`events-title`,children:`Lately`}),Y(`div`,{class:`sorts`,role:`group`,"aria-label":`Which events`,children:pi.map(e=>Y(`button`,{type:`button`,"aria-pressed":t.includes(e),onClick:()=>n(e),children:e}))})]}),Y(`ol`,{id:`events`,tabIndex:0,"aria-labelledby":`events-title`,children:[i.map(t=>Y(ax,{of:`${o} ${t.tick} ${t.which} ${t.count} ${t.others} ${t.who} ${t.did}`,make:()=>Y(`li`,{"data-sort":t.sort,children:[Y(Rb,{viewer:e,tick:t.tick,children:R(t.tick,r).split(`, `)[1]}),Y(`span`,{children:[t.see?Y(Z,{viewer:e,id:t.see,children:Y(`bdi`,{class:`who`,children:t.who})}):Y(`bdi`,{class:`who`,children:t.who}),t.others>0&&` and ${t.others} ${t.others>1?`others`:`other`}`,` `,Y(Z,{viewer:e,id:b(t.tick,t.which),children:Y(`span`,{class:`did`,children:t.did})}),t.count>1&&Y(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&Y($b,{viewer:e,text:t.quote})]})]})},t.key)),!i.length&&Y(`li`,{class:`none`,children:`No events yet.`})]})]})}z(),X();function sx({viewer:e,close:t}){let n=Je(),{dayTicks:r}=e.time,[,i]=n.digests.at(-1)??[0,``];return Y(`section`,{class:`help film-about`,id:`film-about`,role:`dialog`,"aria-label":`About this film`,children:[Y(`h2`,{children:[R(n.first,r).replace(`d`,`D`),` to `,R(n.last,r)]}),Y(`p`,{children:[`This is a recording of a world of Thorp: ticks `,n.first.toLocaleString(`en-GB`),` to`,` `,n.last.toLocaleString(`en-GB`),`. It is all in this file, and asks for nothing from anywhere.`]}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`World`}),Y(`dd`,{children:n.world})]}),Y(`div`,{children:[Y(`dt`,{children:`Digest at its end`}),Y(`dd`,{children:Y(`code`,{children:i})})]}),Y(`div`,{children:[Y(`dt`,{children:`Published in a log`}),Y(`dd`,{children:n.proof?`yes; it carries the proof`:`no`})]}),Y(`div`,{children:[Y(`dt`,{children:`Made by`}),Y(`dd`,{children:[`Thorp `,n.release]})]})]}),Y(`p`,{children:[`Whoever has the world can check it: `,Y(`code`,{children:`thorp world verify --film FILE --data DIR`})]}),Y(`button`,{type:`button`,onClick:t,children:`Close`})]})}wa(),z();var cx=3,lx=2,ux=[`No`,`One`,`Two`,`Three`,`Four`,`Five`,`Six`,`Seven`,`Eight`,`Nine`,`Ten`,`Eleven`,`Twelve`],dx=e=>ux[e]??String(e);function fx(e,t,n){let r=t.filter(({agent:e})=>e.connected),i=e?[...mx(e),...hx(e),...gx(e),..._x(e,r)]:[],a=r.filter(({agent:e})=>e.intent),o=[...2*a.length<r.length||!a.length?bx(r):[],...vx(a,n?1:cx)],s=i.length>0||!e?[]:[[`Nothing is asked for.`]];return[...i.slice(0,3),...s,...n?[px(n)]:[],...o]}function px({speaker:e,by:t,against:n,isSettled:r,said:i}){return[{see:t,text:``},r?` has made peace with `:` has a quarrel with `,{see:n,text:``},`. `,{see:e,text:``},` says: `,{intent:i}]}function*mx({event:e,day_ticks:t}){if(!e)return;let n=e.center?[` around `,{see:`@${e.center.join(`,`)}`,text:`${e.center[0]}, ${e.center[2]}`}]:[];yield[{see:e.id,text:e.title},` is on until ${R(e.ends_tick,t)}`,...n,`. ${e.description}`]}function*hx({laws:e,day_ticks:t}){for(let n of e){let e={see:n.id,text:n.title};n.status===`VOTING`?yield[`A vote is open on `,e,` until ${R(n.vote_ends_tick,t)}; ${n.voted} of ${n.members} have voted.`]:n.status===`NOTICE`&&(yield[`A law is proposed: `,e,`. The vote opens on ${R(n.notice_ends_tick,t)}.`])}}function*gx(e){let t=e.contracts.filter(({state:e})=>e===`OPEN`);if(!t.length)return;let n=new Set(e.organisations.map(({id:e})=>e)),r=t.find(({poster:e})=>n.has(e))??t[0],i=t.length-1,a=i?[` ${dx(i)} more ${i===1?`contract is`:`contracts are`} open.`]:[];yield[{see:r.poster,text:``},` wants `,{see:r.id,text:si(r)},` for ${ii(r.reward)}.`,...a]}function*_x(e,t){let n=e.lands.find(({stage:e})=>e>0);n&&(yield[`The upkeep of `,{see:n.id,text:``},n.stage>1?` was missed: it is open to all.`:` is late.`]);let r=t.filter(({agent:e})=>e.hunger<=lx);r.length&&(yield[{see:r[0].id,text:``},r.length>1?` and ${r.length-1} more have nothing left to eat.`:` has nothing left to eat.`])}function vx(e,t){let n=new Map;for(let t of e){let{intent:e=``}=t.agent;n.set(e,[...n.get(e)??[],t])}let r=[...n].sort((e,t)=>t[1].length-e[1].length).slice(0,t).flatMap(([e,t],n)=>[n?` `:``,t.length===1?{see:t[0].id,text:``}:dx(t.length),t.length===1?` says: `:` say: `,{intent:e}]);return r.length?[r]:[]}var yx=new Set([`idle`,`standing`,`asleep`]);function bx(e){if(!e.length)return[[`Nobody is here.`]];let t=new Map;for(let n of e){let e=_a(n.agent);t.set(e,[...t.get(e)??[],n])}let n=[...t].filter(([e])=>!yx.has(e)).sort((e,t)=>t[1].length-e[1].length).slice(0,3);return n.length?[[...n.flatMap(([e,t],n)=>[n?`, `:``,t.length===1?{see:t[0].id,text:``}:n?dx(t.length).toLowerCase():dx(t.length),` ${t.length===1?`is`:`are`} ${e}`]),`.`]]:[[`Everyone rests.`]]}z(),Hr();var xx=5,Sx=2,Cx=`ELECTION`,wx=(e,t)=>e.filter(e=>e.tick<=t).sort((e,t)=>t.tick-e.tick)[0],Tx={called:`opens`,open:`ends`,decided:`is held again`};function*Ex(e,t){for(let{id:t,status:n,notice_ends_tick:r,vote_ends_tick:i}of e.laws)n===`NOTICE`&&(yield{tick:r,see:t,before:`The vote on `,after:` opens`}),n===`VOTING`&&(yield{tick:i,see:t,before:`The vote on `,after:` ends`});if(t){let{next_tick:e,office:n,election_state:r}=t;yield{tick:e,see:Cx,before:`The `,text:`election of the ${n||`mayor`}`,after:` ${Tx[r]}`}}let{event:n}=e;n&&(yield{tick:n.ends_tick,see:n.id,before:``,after:` ends`});let r=e.contracts.filter(({state:e})=>e===`ACCEPTED`).sort((e,t)=>e.deadline_tick-t.deadline_tick).slice(0,Sx);for(let e of r)yield{tick:e.deadline_tick,see:e.id,before:``,text:yr(si(e)),after:` due`}}function Dx(e,t,n){return e?[...Ex(e,wx(t,n))].filter(e=>e.tick>n).sort((e,t)=>e.tick-t.tick).slice(0,xx):[]}function Ox(e,t){let n=Math.max(1,Math.round(e/t));if(n<90)return`in ${n} s`;let r=Math.round(n/60);return r<90?`in ${r} min`:`in ${Math.round(r/60)} h`}Ly(),M(),rx(),X();var kx=2e4;function Ax({viewer:e,hands:t,now:n}){let{folded:r}=t,i=fy(null),a=fy(!1),{world:o,society:s}=e;if(!o?.tick)return null;let c=e.time.past.world!==null,u=`${s!==null} ${c&&Math.floor(24*e.time.tick/e.time.dayTicks)}`;return(!i.current||n-i.current.at>kx||u!==i.current.of)&&!a.current&&(i.current={at:n,of:u,sentences:fx(s,o.crowd.list,jx(e))}),Y(`section`,{class:`going-on`,id:`going-on`,role:`status`,"aria-label":`What is going on`,onPointerEnter:()=>{a.current=!0},onPointerLeave:()=>{a.current=!1},children:[Y(`button`,{type:`button`,class:`label`,"aria-expanded":!r,onClick:()=>{t.folded=!r},children:[`What `,c?`was`:`is`,` going on`]}),Y(`a`,{class:`see`,href:l(`story`,null),onClick:t=>{t.preventDefault(),e.go(`story`)},children:`the story so far`}),!r&&!c&&Y(`small`,{class:`what`,children:`Thorp is a small world in which AI agents live, work, trade and make laws. You watch; anybody's agent may join.`}),!r&&i.current?.sentences.map(t=>Y(tx,{viewer:e,sentence:t})),!r&&Y(Mx,{viewer:e})]})}function jx({chronicle:e,time:t}){let{quarrel:n}=e;return n&&n.tick<=t.tick&&t.tick-n.tick<=t.dayTicks/4?n:void 0}function Mx({viewer:e}){let{society:t,time:n,papers:r,world:i}=e,a=Dx(t,r.elections,n.tick),o=i?.bootstrap.world_params.tick_rate_hz??5;return a.length?Y(`div`,{id:`next`,children:[Y(`p`,{class:`label`,children:`Next`}),Y(`ul`,{children:a.map(({tick:t,see:r,before:i,text:a,after:s})=>Y(`li`,{children:[Y(`span`,{children:[i,Y(Z,{viewer:e,id:r,children:a}),s]}),` `,Y(`small`,{children:Ox(t-n.tick,o)})]}))})]}):null}z(),X();var Nx=[[`/, Ctrl K`,`find a person, place, law or word`],[`1, 2, 3, 4`,`the world, its society, its story, matches`],[`W A S D, arrows`,`move over the ground`],[`Q, E`,`turn`],[`+, −, wheel, pinch`,`zoom in, zoom out`],[`drag`,`turn and tilt; with Shift or two fingers, move`],[`M, L`,`the map and back, its layers`],[`double-click`,`on the map: go there`],[`N, P`,`watch the next or the previous person`],[`click`,`watch the person that stands there; on the map, choose`],[`F`,`follow the watched person`],[`T`,`a tour: the camera goes to what is worth seeing; any key ends it`],[`G`,`fold what is going on`],[`Space`,`pause; play, pause the past`],[`, .`,`one tick back, one forth`],[`[ ]`,`the event before, the next one; of whom you look at, with Alt of all`],[`Home, End`,`the founding, live`],[`C`,`compare with an hour before, or with any moment of the lane`],[`Esc`,`close what is on top, then what you look at`],[`Tab`,`go to the lists; arrows move, Enter chooses`]];function Px({viewer:e,close:t}){let{world:n,lateness:r,society:i,time:a}=e;return Y(`section`,{class:`help`,"aria-label":`Keys`,children:[Y(`dl`,{children:Nx.map(([e,t])=>Y(`div`,{children:[Y(`dt`,{children:e}),Y(`dd`,{children:t})]}))}),Y(`h2`,{children:`This server`}),Y(`dl`,{children:[Y(`div`,{children:[Y(`dt`,{children:`seed`}),Y(`dd`,{children:n?.bootstrap.world_params.seed??`–`})]}),Y(`div`,{children:[Y(`dt`,{children:`ticks a second`}),Y(`dd`,{children:n?.bootstrap.world_params.tick_rate_hz??`–`})]}),Y(`div`,{title:`Ticks that began late, and ticks that were skipped`,children:[Y(`dt`,{children:`late`}),Y(`dd`,{id:`late`,children:r?`${r.late}${r.skipped?`, ${r.skipped} skipped`:``}`:`–`})]}),Y(`div`,{children:[Y(`dt`,{children:`picture`}),Y(`dd`,{children:e.coarseAt?`coarser, for this machine is slow`:`as fine as the screen`})]}),Y(`div`,{children:[Y(`dt`,{children:`past`}),Y(`dd`,{children:a.tape.state?`kept since ${R(a.tape.state.playable[0]?.[0]??a.liveTick,a.dayTicks)}`:`not kept by this server`})]}),Y(`div`,{children:[Y(`dt`,{children:`book`}),Y(`dd`,{children:i?.open_book?`open: pockets, chests and refusals are shown`:`closed: pockets, chests and refusals are private`})]})]}),Y(`button`,{type:`button`,onClick:t,children:`Close`})]})}Ly(),X();function Fx({load:e,with:t}){let[n,r]=cy(`Looking…`);uy(()=>{e().then(e=>r(()=>e),()=>r(`This part of the page did not come; load the page again.`))},[]);let i=n;return typeof i==`string`?Y(`p`,{class:`none`,children:i}):Y(i,{...t})}Ly(),z(),Hr(),rx(),X();var Ix=15e3,Lx=6,Rx=250,zx=[`threat`,`scarcity`,`hope`,`dread`],Bx=(e,t=``)=>{let n=Dr(t);return n===t.toLowerCase()?Er(e):`${Er(e)}, ${n}`},Vx=e=>e.replace(/-\d+$/,``).replace(/^./,e=>e.toUpperCase());function Hx(e,t=Ix){let[n,r]=cy(null);return uy(()=>{if(e===null)return;let n=!1,i=async()=>{let t=document.hidden?null:await Ur(e);t&&!n&&r({path:e,answer:t})};i();let a=setInterval(i,t);return()=>{n=!0,clearInterval(a)}},[e,t]),n?.path===e?n.answer:null}function Ux({viewer:e,one:t}){let n=e.society?.contracts.find(({id:e})=>e===t.contract);return n?Y(L,{children:[Y(Z,{viewer:e,id:n.id}),`: `,si(n),`, `,gr(n.state).word,n.acceptor&&Y(L,{children:[` `,`by `,Y(Z,{viewer:e,id:n.acceptor})]})]}):t.contract?Y(Z,{viewer:e,id:t.contract}):t.status===`executed`?Y(L,{children:`it was done`}):Y(`span`,{class:`refusal`,children:Y(`bdi`,{children:t.detail||kr(t.status)})})}function Wx({viewer:e,one:t,folded:n,day:r}){let i=t.status===`executed`,a=zx.filter(e=>e in t.saw);return Y(`article`,{class:`paper decision`,children:Y(`details`,{open:!n,children:[Y(`summary`,{children:[Y(`h3`,{children:[Y(`span`,{children:[Vx(t.actor),`: `,Bx(t.type)]}),` `,Y(`span`,{class:`pill`,"data-mood":i?`good`:`bad`,children:i?`done`:t.status===`failed`?`failed`:`refused`})]}),Y(`small`,{children:[R(t.tick,r),Y(`span`,{class:`brief`,children:[` `,`· `,Y(Ux,{viewer:e,one:t})]})]})]}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`Saw`}),Y(`dd`,{children:[a.length?a.map((e,n)=>Y(L,{children:[n>0&&`, `,Or(e),` `,Math.round(t.saw[e]*100),` %`]})):`a day that had passed`,` `,Y(`i`,{class:`seen`,children:`seen`})]})]}),Y(`div`,{children:[Y(`dt`,{children:`Why`}),Y(`dd`,{children:[Y(`q`,{title:t.reason,children:Y(`bdi`,{children:hr(t.reason)})}),` `,Y(`i`,{class:`told`,children:`told`})]})]}),Y(`div`,{children:[Y(`dt`,{children:`Weighed`}),Y(`dd`,{children:t.weighed.length?t.weighed.map(({type:e,target:t,priority:n,selected:r},i)=>Y(L,{children:[i>0&&` · `,Y(`span`,{title:t,children:Bx(e)}),` `,r?Y(`strong`,{children:n.toFixed(2)}):n.toFixed(2)]})):`priority ${t.priority.toFixed(2)} of 1; what else it weighed is its own`})]}),Y(`div`,{children:[Y(`dt`,{children:`Ordered`}),Y(`dd`,{children:Y(`span`,{title:t.command,children:Bx(t.type,t.target)})})]}),Y(`div`,{children:[Y(`dt`,{children:`Came of it`}),Y(`dd`,{children:Y(Ux,{viewer:e,one:t})})]})]})]})})}function Gx({time:e},t){let n=e.past.world?Math.floor(e.tick/Rx+1)*Rx:null,r=Hx(`admin/v1/towns/${encodeURIComponent(t.id)}/decisions${n===null?``:`?before=${n}`}`);return r&&n!==null?r.filter(({tick:t})=>t<=e.tick):r}function Kx({viewer:e,org:t}){let n=Gx(e,t),r=e.society?.day_ticks??6e3;return n?.length?Y(`div`,{id:`council`,children:n.slice(0,Lx).map((t,n)=>Y(Wx,{viewer:e,one:t,folded:n>0,day:r},`${t.tick} ${t.actor}`))}):Y(`p`,{class:`none`,children:n?`The council has ordered nothing yet.`:`Looking for its decisions…`})}function qx({viewer:e,org:t}){let n=Hx(`${e.time.tape.of}series?what=treasury:${encodeURIComponent(t.id)}`),r=e.time.past.world?n?.filter(([t])=>t<=e.time.tick):n;if(!r||r.length<2)return null;let i=e.society?.day_ticks??6e3,[a,o]=[r[0][0],r[r.length-1][0]],s=Math.max(1,...r.map(([,e])=>e)),c=r.map(([e,t])=>`${(300*(e-a)/(o-a)).toFixed(1)},${(40-36*t/s).toFixed(1)}`).join(` `),l=r[r.length-1][1];return Y(`figure`,{class:`series`,id:`treasury-line`,children:[Y(`svg`,{viewBox:`0 0 300 44`,preserveAspectRatio:`none`,role:`img`,"aria-label":`worth ${l} at last, at most ${s}, since ${R(a,i)}`,children:Y(`polyline`,{points:c})}),Y(`figcaption`,{children:[Y(`small`,{children:R(a,i)}),` `,Y(`small`,{children:[`worth `,l,`, at most `,s]})]})]})}var Jx=({of:e})=>Y(`dl`,{class:`standing`,children:zx.map(t=>{let n=e[t]??0;return Y(`div`,{children:[Y(`dt`,{children:Or(t)}),Y(`dd`,{class:`bar`,children:Y(`i`,{style:{width:`${n*100}%`}})}),Y(`dd`,{class:`figure`,children:[Math.round(n*100),` %`]})]})})});z(),Qb(),X();var Yx=3e3,Xx=5,Zx=8,Qx=e=>e===null?`–`:`${Math.round(e*100)} %`;function $x({one:e}){let t=e.weighed.slice(0,Zx),n=e.weighed.length-t.length;return Y(`ol`,{class:`weighed`,children:[t.map(({letter:t,name:n,probability:r})=>Y(`li`,{"data-chosen":n===e.chose,children:[Y(`kbd`,{children:t}),` `,Gr(n),Y(`span`,{class:`bar`,children:Y(`i`,{style:{width:`${(r??0)*100}%`}})}),Y(`span`,{class:`figure`,children:Qx(r)})]},t)),n>0&&Y(`li`,{class:`none`,children:[`and `,n,` more`]})]})}function eS({viewer:e,one:t,open:n,day:r}){return Y(`details`,{class:`mind-decision`,open:n,children:[Y(`summary`,{children:[Y(Rb,{viewer:e,tick:t.tick,children:R(t.tick,r).split(`, `)[1]}),` `,Y(`strong`,{children:Gr(t.chose)}),` `,Y(`small`,{children:t.by===`rule`?`the only option`:Qx(t.weighed[0]?.probability??null)})]}),Y(`h4`,{children:`Read`}),Y(`pre`,{class:`read`,children:Y(`bdi`,{children:t.read})}),Y(`h4`,{children:`Weighed`}),Y($x,{one:t}),Y(`p`,{children:Y(`small`,{children:[t.came?`Came of it: ${t.came}.`:`It is at it now.`,t.seconds?` The model took ${t.seconds.toFixed(1)} s.`:``]})})]})}function tS({viewer:e,id:t}){let n=Hx(`admin/v1/observer/minds/${t}`,Yx),r=e.society?.day_ticks??6e3;return n?Y(`div`,{id:`mind`,children:[Y(`h3`,{children:`What it read, chose and weighed`}),n.decisions===null?Y(`p`,{children:`kept private here`}):Y(L,{children:[Y(`details`,{class:`mind-rules`,children:[Y(`summary`,{children:`What it is always told`}),Y(`pre`,{class:`read`,children:n.rules})]}),n.decisions.slice(0,Xx).map((t,n)=>Y(eS,{viewer:e,one:t,open:n===0,day:r},t.number)),!n.decisions.length&&Y(`p`,{class:`none`,children:`It has not decided anything yet.`})]})]}):null}X();var nS=20,rS=e=>[{name:`hp`,word:`health`,value:e.hp,share:e.hp/nS},{name:`hunger`,word:`food`,value:e.hunger,share:e.hunger/nS},{name:`stamina`,word:`stamina`,value:Math.round(e.stamina_milli/10),share:e.stamina_milli/1e3}],iS=e=>({width:`${Math.round(100*Math.min(1,Math.max(0,e)))}%`}),aS=e=>rS(e).filter(({name:e})=>e!==`stamina`);function oS({agent:e}){let t=aS(e).map(({word:e,value:t})=>`${e} ${t}`).join(`, `);return Y(`span`,{class:`vitals`,role:`img`,"aria-label":t,title:t,children:aS(e).map(({name:e,share:t})=>Y(`span`,{class:`bar`,"data-vital":e,children:Y(`i`,{style:iS(t)})}))})}function sS({agent:e}){return Y(`dl`,{class:`vitals-table`,children:rS(e).map(({name:e,word:t,value:n,share:r})=>Y(`div`,{children:[Y(`dt`,{children:t}),Y(`dd`,{class:`bar`,"data-vital":e,children:Y(`i`,{style:iS(r)})}),Y(`dd`,{class:`figure`,children:[n,e===`stamina`?` %`:` of ${nS}`]})]}))})}var cS=function(e,t,n){let r=Promise.resolve();function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},lS=r({AgentWhy:()=>uS});function uS({viewer:e,id:t}){let[n,r]=cy(null),[i,a]=cy(!1);return uy(()=>r(null),[t]),null}var dS=n((()=>{Ly(),M(),pe(),z(),Qb(),X()}));Ly(),M(),wa(),ca(),z(),Hr(),Qb(),rx(),X();var fS=2e3,pS=4,mS=8,hS=10,gS=200,_S=12;function vS({viewer:e,task:t,rate:n}){let r=t.eta_ticks?Math.ceil(t.eta_ticks/n):0;return Y(`p`,{class:`task`,children:[Y(`strong`,{children:Sa(t)}),` `,t.kind===`MOVE_TO`?`to`:`at`,` `,Y(Z,{viewer:e,id:`@${t.target.join(`,`)}`,children:[t.target[0],`, `,t.target[2]]}),Y(`span`,{class:`bar`,children:Y(`i`,{style:{width:`${Math.round(t.progress*100)}%`}})}),r>0&&Y(`small`,{children:[r,` s to go`]})]})}function yS(e){let[t,n]=cy(null);return uy(()=>{if(e===null)return;let t=!1,r=async()=>{let r=document.hidden?null:await Ur(`admin/v1/observer/agents/${e}`);r&&!t&&n(r)};r();let i=setInterval(r,fS);return()=>{t=!0,clearInterval(i)}},[e]),t?.id===e?t:null}function bS(e,{id:t,pos:[n,,r]}){let{society:i,time:a}=e;if(!i)return null;let{organisations:o,laws:s,contracts:c}=i,l=o.find(({members:e})=>t in e),u=oi(i,n,r)?.id??``,d=a.book.refusals().filter(({agent:e})=>e===t).map(({deed:e})=>e).reverse();return{id:t,joined_tick:0,organisation:l?.id??``,rank:l?.members[t]??``,reputation:a.past.standingOf(t)??{},achievements:a.past.achievementsOf(t),contracts:c.filter(({poster:e,acceptor:n,state:r})=>(r===`OPEN`||r===`ACCEPTED`)&&(e===t||n===t)).map(e=>e.id),laws:s.filter(({status:e,land_id:t})=>e===`ACTIVE`&&t===u).map(e=>e.id),land:u,carries:i.open_book?a.book.pocketOf(t):null,refused:i.open_book?d:null}}function xS({anchor:e,terminal:t},{work_task:n,move_task:r}){return(([e,,t])=>[n,r].some(n=>n&&Math.max(Math.abs(n.target[0]-e),Math.abs(n.target[2]-t))<=_S))(e??t)}function SS({viewer:e,body:t}){let n=e.society?.contracts.find(({acceptor:e,state:n})=>e===t.id&&n===`ACCEPTED`);return n?Y(`p`,{class:`because`,id:`because`,children:[xS(n,t.agent)?`because of`:`has taken`,` `,Y(Z,{viewer:e,id:n.id}),`,`,` `,si(n),` for `,Y(Z,{viewer:e,id:n.poster}),` `,Y(`i`,{class:`seen`,children:`seen`})]}):t.agent.hunger<hS?Y(`p`,{class:`because`,children:[`is hungry `,Y(`i`,{class:`seen`,children:`seen`})]}):null}function CS({about:e}){return Y(`div`,{id:`achieved`,children:[Y(`h3`,{children:`Achieved`}),Object.entries(e.achievements??{}).map(([e,t])=>{let n=Object.values(t).filter(Boolean).length;return Y(`p`,{class:`achieved`,"data-group":e,children:[Y(`strong`,{children:[e===`tech`?`Tech tree`:`With others`,` `,Y(`small`,{children:[n,` of `,Object.keys(t).length]})]}),Object.entries(t).map(([e,t])=>Y(`span`,{class:t?`done`:``,title:t>1?`${t} ×`:t?`done`:`not yet`,children:Ir(e)}))]})})]})}var wS=async()=>(await cS(async()=>{let{AgentWhy:e}=await Promise.resolve().then(()=>(dS(),lS));return{AgentWhy:e}},void 0,{}.url)).AgentWhy;function TS({viewer:e,body:t}){let{agent:n}=t,{isPast:r}=e.time,i=yS(r?null:n.id),a=r?e.time.past.world?bS(e,n):null:i,o=e.world.bootstrap.world_params.tick_rate_hz,s=e.society?.day_ticks??6e3,c=[n.work_task,n.move_task].filter(e=>e!==void 0),u=e.chronicle.saidBy(n.id),d=[...e.chronicle.of(n.id,mS),...a?.refused?.slice(0,pS)??[]].sort((e,t)=>t.tick-e.tick);return Y(`section`,{class:`thing`,id:`card`,"aria-label":`Person`,"data-agent":n.id,children:[Y(`header`,{children:[Y(`i`,{class:`portrait`,"data-away":!n.connected,style:{background:`hsl(${Math.round(t.hue*360)} 45% 55%)`},"aria-hidden":`true`}),Y(`h2`,{children:[Y(`bdi`,{children:n.name}),` `,Y(`small`,{children:n.id}),a&&a.reputation.law<gS&&Y(L,{children:[` `,Y(`span`,{class:`pill`,"data-mood":`bad`,children:`wanted`})]})]}),Y(`p`,{children:Y(`small`,{children:[n.title&&Y(`bdi`,{id:`title`,children:n.title}),n.title&&a?.organisation&&` · `,a?.organisation&&Y(L,{children:[wr(a.rank),` of `,Y(Z,{viewer:e,id:a.organisation})]})]})}),Y(`div`,{class:`buttons`,children:[e.attention.following||Y(`button`,{type:`button`,id:`follow`,onClick:()=>e.choose(n.id),children:`Follow`}),e.isOther||Y(L,{children:[Y(ex,{viewer:e}),Y(`a`,{class:`button`,href:l(`story`,null,`with=${n.id}`),onClick:t=>{t.ctrlKey||t.metaKey||t.shiftKey||(t.preventDefault(),e.visit(t.currentTarget.href))},children:`In the story`})]}),Y(`button`,{type:`button`,onClick:()=>e.choose(null),children:`Close`})]})]}),Y(`div`,{children:[Y(`h3`,{children:[r?`Then`:`Now`,` `,Y(`small`,{children:[a?.land?Y(L,{children:[`on `,Y(Z,{viewer:e,id:a.land})]}):`in open country`,`, at `,n.pos.join(`, `)]})]}),c.length?c.map(t=>Y(vS,{viewer:e,task:t,rate:o})):Y(`p`,{class:`task`,children:Y(`strong`,{children:_a(n)})}),Y(SS,{viewer:e,body:t}),n.intent&&Y(`p`,{class:`because`,id:`intent`,children:[Y($b,{viewer:e,text:n.intent}),` `,Y(`i`,{class:`told`,children:`told`})]}),u&&Y(`p`,{class:`because`,children:[u.did,` `,Y($b,{viewer:e,text:u.quote??``}),` `,Y(`i`,{class:`told`,children:`told`}),` `,Y(`small`,{children:Y(Rb,{viewer:e,tick:u.tick,children:R(u.tick,s)})})]})]}),n.title===`language model`&&!r&&Y(tS,{viewer:e,id:n.id}),Y(sS,{agent:n}),Y(`div`,{children:[Y(`h3`,{children:`Carries`}),Y(`p`,{id:`carries`,children:a?.carries?Y(nx,{items:a.carries}):a?.carries===null?`kept private here`:`…`})]}),e.isOther||Y(Fx,{load:wS,with:{viewer:e,id:n.id}},n.id),Y(`div`,{children:[Y(`h3`,{children:`Lately`}),Y(`ol`,{class:`lately`,children:[d.map(t=>Y(`li`,{class:`code`in t?`refused`:``,children:[Y(Rb,{viewer:e,tick:t.tick,children:R(t.tick,s).split(`, `)[1]}),`code`in t?Y(`span`,{children:[`was refused: `,t.message||`no reason given`,t.hint&&`. ${yr(sa(t.hint))}`,` `,Y(`small`,{children:t.code})]}):Y(`span`,{children:[t.did,t.count>1&&Y(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&Y(L,{children:[` `,Y($b,{viewer:e,text:t.quote})]})]})]},`key`in t?t.key:`${t.tick} ${t.code}`)),!d.length&&Y(`li`,{class:`none`,children:`Nothing that anyone noticed.`})]})]}),a&&Y(L,{children:[Y(`div`,{children:[Y(`h3`,{children:`Standing`}),Y(`dl`,{class:`standing`,children:Object.entries(a.reputation).map(([e,t])=>Y(`div`,{children:[Y(`dt`,{children:e}),Y(`dd`,{class:`bar`,children:Y(`i`,{style:{width:`${t/10}%`}})}),Y(`dd`,{class:`figure`,children:Math.round(t/10)})]}))})]}),a.achievements&&Y(CS,{about:a}),Y(`div`,{children:[Y(`h3`,{children:`Bound by`}),Y(`p`,{children:[[...a.laws,...a.contracts].map((t,n)=>Y(L,{children:[n>0&&` · `,Y(Z,{viewer:e,id:t})]})),!a.laws.length&&!a.contracts.length&&`nothing`]})]})]})]})}Ly(),M(),X(),Ly(),X();var ES={land:`Land and borders`,buildings:`Buildings`,people:`People`,paths:`Paths`,activity:`Activity`,events:`Events`,works:`Works, contracts`,things:`Chests, boards, signs`,heights:`Heights`},DS=[`all`,`mined`,`placed`,`refused`];function OS({viewer:e,hands:t}){return Y(L,{children:[Y(`div`,{class:`views`,role:`group`,"aria-label":`View`,children:[Y(`button`,{type:`button`,"aria-pressed":!e.isMap,onClick:()=>e.isMap&&t.toggleMap(),children:`3D`}),Y(`button`,{type:`button`,"aria-pressed":e.isMap,onClick:()=>e.isMap||t.toggleMap(),children:[`Map `,Y(`kbd`,{class:`seldom`,children:`M`})]})]}),e.isMap?Y(kS,{viewer:e,hands:t}):Y(AS,{hands:t})]})}function kS({viewer:e,hands:t}){let n=t.counts();return Y(`section`,{class:`layers`,id:`layers`,"aria-label":`Layers of the map`,children:[Y(`button`,{type:`button`,class:`label`,"aria-expanded":t.layers,onClick:t.toggleLayers,children:[`Layers `,Y(`kbd`,{class:`seldom`,children:`L`})]}),t.layers&&Y(L,{children:[Eh.map(t=>Y(`label`,{children:[Y(`input`,{type:`checkbox`,checked:e.layers.has(t),onChange:()=>e.toggleLayer(t)}),Y(`span`,{children:ES[t]}),` `,Y(`small`,{children:n?.[t]})]},t)),e.layers.has(`activity`)&&Y(`div`,{class:`heat`,children:[Y(`i`,{}),Y(`small`,{children:`1`}),` `,Y(`small`,{children:t.hottest()})]}),e.layers.has(`activity`)&&Y(`div`,{class:`deeds`,role:`group`,"aria-label":`Which activity`,children:DS.filter(t=>t!==`refused`||e.society?.open_book).map(t=>Y(`button`,{type:`button`,"aria-pressed":e.deed===t,onClick:()=>e.countDeeds(t),children:t}))})]})]})}function AS({hands:e}){let t=fy(null);return uy(()=>(e.drawSmallInto(t.current),()=>e.drawSmallInto(null)),[]),Y(`button`,{type:`button`,class:`small-map seldom`,"aria-label":`The map`,title:`Map (M)`,onClick:e.toggleMap,children:[Y(`canvas`,{id:`small-map`,ref:t}),Y(`span`,{children:[`map `,Y(`kbd`,{children:`M`})]})]})}z();var jS=[`arrival`,`worth`,`standing`,`deeds`],MS=(e,t)=>Object.entries(e).reduce((e,[n,r])=>e+r*(t[n]??1),0),NS=({kept:e,built:t})=>e+t;function PS(e,t){return t===`worth`?e.worth:t===`standing`?Math.round(e.standing/10):NS(e)}var FS=(e,t,n)=>`${e} ${e===1?t:n}`;function IS({sold:e,kept:t,earned:n,trades:r,carries:i},a){let o=e?e[1]*(a[e[0]]??1):0;return e&&o>=n?`sells ${ni(e[0])}: ${e[1]} in ${FS(r,`trade`,`trades`)}`:t?`kept ${FS(t,`contract`,`contracts`)}, which paid ${n}`:i?`carries ${ri(...i)}`:`has nothing to show`}function LS(e,t,n){let{kept:r,built:i,broken:a,trades:o}=e;return t===`worth`?IS(e,n):[r&&`kept ${FS(r,`contract`,`contracts`)}`,a&&`broke ${FS(a,`contract`,`contracts`)}`,i&&`built ${FS(i,`thing`,`things`)}`,t===`standing`&&o&&`traded ${FS(o,`time`,`times`)}`].filter(Boolean).join(`, `)||`has done nothing that is on record`}function RS(e,t){let n=e=>PS(e,t)??-1;return[...e].sort((e,t)=>n(t)-n(e)||Number(e.id.slice(1))-Number(t.id.slice(1)))}var zS=[{words:/^(who is )?(the )?(rich|wealth|worth)/,title:`Richest`,order:`worth`},{words:/^(who is )?(the )?poor/,title:`Poorest`,order:`worth`,last:!0},{words:/^(who is )?(the )?(best known|standing|respected|reput)/,title:`Of the best standing`,order:`standing`},{words:/^(who is )?(the )?(busi|hardest|deeds)/,title:`Busiest`,order:`deeds`}];function BS(e,t,n){let r=zS.find(({words:t})=>t.test(e));if(!r)return null;let{order:i,title:a,last:o}=r,s=RS(t,i).filter(e=>PS(e,i)!==null),c=o?s.at(-1):s[0];if(!c)return null;let l=PS(c,i);return{id:c.id,text:`${a}: ${c.name}, ${l}, who ${LS(c,i,n)}`}}Ly(),M(),Y_(),ca(),z(),Hr(),X();var VS=12,HS=140,US=3,WS=({kind:e})=>e===`notice`||e===`story`;function GS(e,t){let n=wh(t,e.papers.buildings,e.time.tick),r=n.map(({id:t})=>e.nameOf(t)).join(` and `);return e.nameOf(t.id)+(r&&`; ${r} ${n.length>1?`live`:`lives`} there`)}function*KS(e){let t=e.society,n=e.story.entries.map(({entry_id:e,text:t})=>({see:``,kind:`story`,text:t,passage:e})).reverse();for(let{agent:t}of e.world?.crowd.list??[])yield{see:t.id,kind:`person`,text:t.name};if(!t)return yield*n;for(let{id:e,name:n,kind:r}of t.organisations)yield{see:e,kind:Tr(r),text:n};for(let t of e.buildings)yield{see:t.id,kind:`building`,text:GS(e,t)};for(let{id:n}of t.lands)yield{see:n,kind:`land`,text:e.nameOf(n)};for(let e of t.laws)yield{see:e.id,kind:`law`,text:`${e.title}: ${Wr(e)}`};for(let n of t.contracts)yield{see:n.id,kind:`contract`,text:`${e.nameOf(n.id)}: ${si(n)}`};for(let[n,r]of Object.entries(t.boards)){let t=n.slice(n.lastIndexOf(`@`));for(let n of r){let r=oa(`${n.title}: ${n.body}`,t=>e.nameOf(t));yield{see:v(t)?t:n.author,kind:`notice`,text:r}}}yield*n}function qS(e,t){e.go(`story`);let n=setInterval(()=>{let r=document.querySelector(`#stream [data-id="${CSS.escape(t)}"]`);r?.scrollIntoView({block:`center`}),(r||e.place!==`story`)&&clearInterval(n)},100)}function JS(e,t){if(e.length<=HS)return e;let n=Math.max(0,e.toLowerCase().indexOf(t)-HS/3),r=n===0?0:e.indexOf(` `,n)+1;return(r?`… `:``)+q_(e.slice(r),({length:e})=>e<=HS)}function YS(e,t){let n=t.trim().toLowerCase();if(!n)return[];let r=[],i=BS(n,e.people,e.prices);i?r.push({see:i.id,kind:`answer`,text:i.text}):/^(rich|wealth|poor)/.test(n)&&e.society?.open_book===!1&&r.push({see:``,kind:`answer`,text:`What people carry is private here, so nobody can say who is richest.`}),wx(e.papers.elections,e.time.tick)&&/^(elect|mayor|vote)/.test(n)&&r.push({see:Cx,kind:`election`,text:`The election and its candidates`});let a=new Set;for(let t of KS(e)){let e=WS(t)?t.text:t.see;r.length>=VS||a.has(e)||`${t.text} ${t.see}`.toLowerCase().includes(n)&&(a.add(e),r.push({...t,text:JS(t.text,n)}))}return r}function XS({viewer:e}){let[t,n]=cy(``),[r,i]=cy(0),a=fy(null),o=YS(e,t),s=t.trim().length>=US;uy(()=>{s&&e.story.hasEarlier&&e.story.loadAll()},[s,e.story.revision]);let c=t=>{t&&(t.passage?qS(e,t.passage):t.see&&e.choose(t.see),n(``),a.current?.blur())};return uy(()=>{let e=e=>{let t=e.target instanceof Element&&e.target.matches(`input, textarea, select`);(e.key===`/`&&!t&&!e.defaultPrevented||e.key===`k`&&(e.ctrlKey||e.metaKey))&&(e.preventDefault(),a.current?.focus())};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]),Y(`div`,{class:`search`,children:[Y(`input`,{id:`search`,type:`search`,ref:a,value:t,placeholder:`Find a person, place, law, word…`,"aria-label":`Find`,"aria-controls":`hits`,onKeyDown:e=>{if(e.key===`Enter`)c(o[r]);else if(e.key===`ArrowDown`)i(Math.min(o.length-1,r+1));else if(e.key===`ArrowUp`)i(Math.max(0,r-1));else if(e.key===`Escape`)n(``),a.current?.blur();else return;e.preventDefault()},onFocus:()=>e.story.start(),onInput:e=>{n(e.currentTarget.value),i(0)}}),t.trim()&&Y(`ol`,{id:`hits`,role:`listbox`,children:[o.map((e,t)=>Y(`li`,{role:`option`,"aria-selected":t===r,onMouseDown:t=>{t.preventDefault(),c(e)},children:[Y(`small`,{children:e.kind}),` `,Y(`bdi`,{children:e.text})]},e.see+t)),!o.length&&Y(`li`,{class:`none`,children:s&&e.story.hasEarlier?`Looking through the whole story…`:`Nothing here is called that.`})]})]})}M(),Hn(),Hr(),X();var ZS=4e3,QS=e=>e.toLocaleString(`en-GB`);function $S({hour:e}){let t=Vn(e);return Y(`svg`,{class:`sky`,viewBox:`0 0 20 20`,"aria-label":t?`night`:`day`,role:`img`,children:t?Y(`path`,{d:`M13 3a7.2 7.2 0 1 0 4 9.6A6 6 0 0 1 13 3z`}):Y(`circle`,{cx:`10`,cy:`10`,r:`5`})})}var eC=d.filter(e=>e!==`matches`),tC={world:`world`,society:`society-link`,story:`story`,matches:`matches-link`};function nC(e,t){let{current:n,world:r}=e;if(e.place===`story`)return e.story.link;if(n.state===`founding`)return{name:`founding`,text:`founding`};if(n.state===`opening`)return{name:`connecting`,text:`opening`};if(e.time.past.world||e.awaitsPast)return{name:`past`,text:`a film`};if(n.state===`away`)return{name:`away`,text:`disconnected`};if(n.state===`locked`)return{name:`away`,text:`token needed`};if(n.state===`connecting`||!r)return{name:`connecting`,text:`connecting`};let i=t-r.heardAt;return i>ZS?{name:`quiet`,text:`no tick for ${Math.floor(i/1e3)} s`}:r.tick?{name:`live`,text:`live`}:{name:`connecting`,text:`connecting`}}function rC({viewer:e,hands:t,now:n}){let{world:r,society:i}=e,a=r?.tick,{name:o,text:s}=nC(e,n),c=t=>n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.go(t))},u=i&&a?Math.floor(a.tick/i.day_ticks)+1:null;return Y(`header`,{class:`masthead`,children:[Y(`h1`,{children:`Thorp`}),Y(`nav`,{class:`places`,"aria-label":`Places`,children:eC.map(t=>Y(`a`,{id:tC[t],href:l(t,null),"aria-current":e.place===t?`page`:void 0,onClick:c(t),children:t}))}),Y(XS,{viewer:e}),Y(`span`,{class:`state`,id:`state`,"data-state":o,role:`status`,children:s}),r&&a&&Y(`dl`,{children:[Y(`div`,{class:`hour`,children:[Y(`dt`,{children:u?`Day ${u}`:`Time`}),Y(`dd`,{children:[Y($S,{hour:a.time_of_day}),Pn(a.time_of_day)]})]}),Y(`div`,{class:`seldom`,children:[Y(`dt`,{children:`Weather`}),Y(`dd`,{id:`weather`,children:Ar(a.weather)})]}),Y(`div`,{class:`seldom`,children:[Y(`dt`,{children:`Tick`}),Y(`dd`,{id:`tick`,children:QS(a.tick)})]}),Y(`div`,{class:`seldom`,children:[Y(`dt`,{children:`Here`}),Y(`dd`,{id:`here`,children:QS(r.crowd.connected)})]})]}),Y(`button`,{type:`button`,id:`join-button`,"aria-expanded":t.join,onClick:t.toggleJoin,children:[`About`,Y(`span`,{class:`seldom`,children:` this film`})]})]})}Ly(),z(),X();var iC=e=>e.toLocaleString(`en-GB`);function aC({tick:e,of:t}){let n=fy({tick:e,at:performance.now()}),r=e-n.current.tick;return r<1?null:Math.ceil((performance.now()-n.current.at)/r*(t-e)/1e3)}function oC({founding:e}){let{tick:t,of:n,day_ticks:r,milestones:i}=e,a=aC(e),o=i.findIndex(e=>e.tick===null);return Y(`section`,{class:`founding`,id:`founding`,role:`status`,"aria-label":`The village is being founded`,children:[Y(`h2`,{children:`The village is living its first days`}),Y(`p`,{children:Y(`small`,{children:[`They are lived before you come in, by the same rules, without a picture.`,a!==null&&a>0&&` Some ${a} s more.`]})}),Y(`div`,{class:`bar`,children:Y(`i`,{style:{width:`${100*t/n}%`}})}),Y(`p`,{class:`far`,children:[Y(`strong`,{children:R(t,r).replace(`day`,`Day`)}),` `,Y(`small`,{children:[`tick `,iC(t),` of `,iC(n)]})]}),Y(`ol`,{children:i.map(({text:e,tick:t},n)=>Y(`li`,{"data-state":t===null?n===o?`next`:`to come`:`done`,children:[Y(`span`,{children:e}),` `,Y(`small`,{children:t===null?n===o?`soon`:``:R(t,r)})]}))})]})}ce(),X();var sC=6e3,cC=8e3,lC=e=>`${e.charAt(0).toUpperCase()}${e.slice(1)}.`;function uC({why:e,retry:t}){return Y(`div`,{class:`notice`,role:`alert`,children:[Y(`strong`,{children:`This world asks for a token.`}),Y(`span`,{children:[`The server says: `,e,`.`]}),Y(`form`,{id:`token-form`,onSubmit:e=>{e.preventDefault();let n=e.currentTarget.querySelector(`input`).value.trim();n&&(ne(n),t())},children:[Y(`input`,{type:`password`,"aria-label":`Token`,placeholder:`thorp_…`,autocomplete:`off`,maxLength:200}),Y(`button`,{type:`submit`,children:`Watch`})]})]})}function dC({viewer:e,now:t,retry:n,join:r}){let{current:i,world:a,time:o}=e;if(i.state===`founding`)return Y(oC,{founding:i.founding});if(i.state===`locked`)return Y(uC,{why:i.why,retry:n});if(i.state===`away`)return Y(`div`,{class:`notice`,role:`alert`,children:[Y(`strong`,{children:i.why}),Y(`span`,{children:[`Away since `,i.since,`. `,a?`You see the last state it sent. `:``,`The page reconnects by itself.`]}),Y(`button`,{type:`button`,onClick:n,children:`Try now`})]});if(i.state===`opening`)return Y(`div`,{class:`notice`,role:`status`,children:[Y(`strong`,{children:lC(i.why)}),` `,Y(`span`,{children:`The page goes on by itself.`})]});if(i.state===`connecting`)return Y(`div`,{class:`notice late`,role:`status`,children:Y(`span`,{children:`Looking for the world…`})});if(e.awaitsPast)return o.isPast?null:Y(`div`,{class:`notice late`,role:`status`,children:Y(`span`,{children:`Looking for that moment…`})});let s=a?t-a.heardAt:0;return!a?.tick&&s<=sC?Y(`div`,{class:`notice late`,role:`status`,children:Y(`span`,{children:`Waiting for the first tick…`})}):a?.tick&&a.crowd.list.length===0&&!o.isPast?Y(`div`,{class:`notice`,children:[Y(`span`,{children:`Nobody is here yet.`}),Y(`button`,{type:`button`,onClick:r,children:`Join with an agent`})]}):!o.isPast&&s>sC?Y(`div`,{class:`notice waits`,id:`waits`,role:`status`,children:[Y(`strong`,{children:[`Time waits: no tick for `,Math.floor(s/1e3),` s.`]}),` `,Y(`span`,{children:`A world in lockstep goes on when its agents move.`})]}):null}function fC({viewer:e,now:t}){return!e.tellsCoarse||t-e.coarseAt>=cC?null:Y(`p`,{class:`toast`,id:`coarse`,role:`status`,children:`Picture made coarser, so that it stays smooth here.`})}Ly(),wa(),ca(),X();var pC=48,mC=3,hC={ArrowDown:(e,t)=>Math.min(t,e+1),ArrowUp:e=>Math.max(0,e-1),PageDown:(e,t)=>Math.min(t,e+8),PageUp:e=>Math.max(0,e-8),Home:()=>0,End:(e,t)=>t};function gC({bodies:e,people:t,prices:n},r){if(r===`arrival`)return e.map(e=>({body:e}));let i=new Map(e.map(e=>[e.id,e]));return RS(t,r).flatMap(e=>{let t=i.get(e.id);return t?[{body:t,figure:PS(e,r),why:LS(e,r,n)}]:[]})}function _C(e){let{watched:t,watch:n,nameOf:r}=e,[i,a]=cy(``),[o,s]=cy(`arrival`),[c,l]=cy({top:0,height:400}),u=fy(null),d=i.trim().toLowerCase(),f=gC(e,o),p=d?f.filter(({body:{agent:e}})=>`${e.name} ${e.id}`.toLowerCase().includes(d)):f,[m,h]=cy(-1),g=m<0?Math.max(0,p.findIndex(({body:e})=>e.id===t)):Math.min(m,p.length-1),_=Math.max(0,Math.floor(c.top/pC)-mC),v=Math.min(p.length,Math.ceil((c.top+c.height)/pC)+mC),y=()=>u.current&&l({top:u.current.scrollTop,height:u.current.clientHeight});return uy(()=>{let e=new ResizeObserver(y);return e.observe(u.current),()=>e.disconnect()},[]),uy(()=>{if(o!==`arrival`&&m<0)return;let e=u.current;g*pC<e.scrollTop&&(e.scrollTop=g*pC),(g+1)*pC>e.scrollTop+e.clientHeight&&(e.scrollTop=(g+1)*pC-e.clientHeight)},[g,o]),Y(`section`,{class:`roster`,"aria-labelledby":`roster-title`,children:[Y(`div`,{class:`heading`,children:[Y(`h2`,{id:`roster-title`,children:`People`}),Y(`select`,{id:`order`,"aria-label":`Sorted by`,value:o,onChange:e=>{s(e.currentTarget.value),u.current?.scrollTo(0,0)},children:jS.map(e=>Y(`option`,{value:e,children:[`by `,e]}))}),Y(`input`,{type:`search`,placeholder:`Find`,"aria-label":`Find somebody by name`,value:i,onInput:e=>a(e.currentTarget.value)})]}),Y(`div`,{class:`rows`,id:`agents`,role:`listbox`,tabIndex:0,"aria-labelledby":`roster-title`,ref:u,"aria-activedescendant":p[g]&&`agent-${p[g].body.id}`,onScroll:y,onKeyDown:e=>{let t=hC[e.key];if(e.key===`Enter`&&p[g])n(p[g].body.id);else if(t&&p.length)h(t(g,p.length-1));else return;e.preventDefault()},children:[Y(`div`,{style:{height:`${p.length*pC}px`},children:p.slice(_,v).map(({body:e,figure:i,why:a},o)=>Y(vC,{body:e,figure:i,why:a,top:(_+o)*pC,chosen:e.id===t,marked:_+o===m,watch:n,nameOf:r},e.id))}),!p.length&&Y(`p`,{class:`none`,children:d?`Nobody is called that.`:`Nobody is here yet.`})]})]})}function vC({body:e,figure:t,why:n,top:r,chosen:i,marked:a,watch:o,nameOf:s}){let{agent:c,hue:l}=e,u=c.work_task;return Y(`div`,{class:`row`,role:`option`,id:`agent-${c.id}`,"aria-selected":i,"data-marked":a,"data-away":!c.connected,style:{transform:`translateY(${r}px)`},onClick:()=>o(c.id),children:[Y(`i`,{class:`dye`,style:{background:c.connected?`hsl(${Math.round(l*360)} 45% 55%)`:``}}),Y(`span`,{class:`name`,children:[Y(`bdi`,{children:c.name}),` `,Y(`small`,{children:c.title?Y(`bdi`,{children:c.title}):c.id})]}),t===void 0?Y(oS,{agent:c}):Y(`b`,{class:`figure`,children:t??`private`}),Y(`span`,{class:`doing`,children:[n??_a(c),u&&n===void 0?` ${Math.round(u.progress*100)} %`:``,c.intent&&n===void 0&&Y(L,{children:[` `,Y(`q`,{class:`says`,children:Y(`bdi`,{children:oa(c.intent,s)})})]})]}),!c.intent&&n===void 0&&Y(`span`,{class:`where`,children:[c.pos[0],`, `,c.pos[2]]})]})}var yC=30,bC=6e6,xC=12e4,SC=[`video/webm;codecs=vp9`,`video/webm;codecs=vp8`,`video/webm`];function CC(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(e),n.download=t,n.click(),setTimeout(()=>URL.revokeObjectURL(n.href),6e4)}var wC=()=>typeof MediaRecorder>`u`?null:SC.find(e=>MediaRecorder.isTypeSupported(e))??null,TC=class{beganAt=performance.now();recorder;parts=[];constructor(e,t,n,r){let i=e.captureStream(yC);this.recorder=new MediaRecorder(i,{mimeType:t,videoBitsPerSecond:bC}),this.recorder.ondataavailable=({data:e})=>this.parts.push(e);let a=setTimeout(()=>this.end(),xC);this.recorder.onstop=()=>{clearTimeout(a);for(let e of i.getTracks())e.stop();CC(new Blob(this.parts,{type:`video/webm`}),n),r()},this.recorder.start(1e3)}end(){this.recorder.state!==`inactive`&&this.recorder.stop()}};Ly(),pe(),on(),Nb(),z(),X(),z(),Hr(),rx(),X();function EC({of:e}){let{word:t,mood:n}=gr(e);return Y(`span`,{class:`pill`,"data-mood":n,children:t})}var DC=e=>e.society?.day_ticks??6e3,OC=({viewer:e,ids:t})=>Y(L,{children:t.map((t,n)=>Y(L,{children:[n>0&&`, `,Y(Z,{viewer:e,id:t})]}))});function kC({viewer:e,posts:t}){return Y(`ol`,{class:`posts`,children:t.map(t=>Y(`li`,{children:[Y(`strong`,{children:Y(`bdi`,{children:t.title})}),` `,Y($b,{viewer:e,text:t.body}),Y(`small`,{children:[` `,Y(Z,{viewer:e,id:t.author}),`, `,R(t.tick,DC(e))]})]},t.id))})}z(),Hr(),rx(),X();function AC({viewer:e,election:t}){let{time:n}=e,r=DC(e),{election_state:i,office:a,candidates:o,votes:s,winner:c,next_tick:l}=t,u={called:`called`,open:`voting`,decided:`decided`}[i],d={called:`the vote opens`,open:`the vote ends`,decided:`the next one`}[i];return Y(`article`,{class:`paper`,id:`election`,children:[Y(`p`,{class:`label`,children:`Election`}),Y(`h3`,{children:[yr(a||`mayor`),` of `,Y(Z,{viewer:e,id:t.town}),` `,Y(`span`,{class:`pill`,"data-mood":i===`decided`?`good`:`wait`,children:u})]}),Y(`ul`,{class:`candidates`,children:o.map(({id:t,name:n,promise:r})=>Y(`li`,{children:[e.world?.crowd.get(t)?Y(Z,{viewer:e,id:t}):Y(`bdi`,{children:n||t}),i===`decided`&&Object.hasOwn(s,t)&&Y(`b`,{children:[` `,s[t]]}),t===c&&Y(`strong`,{children:` elected`}),r&&Y(L,{children:[` `,Y($b,{viewer:e,text:r})]})]}))}),Y(`p`,{children:Y(`small`,{children:[`said by `,Y(Z,{viewer:e,id:t.said_by}),`, `,R(t.tick,r),l>n.tick&&`; ${d}: ${R(l,r)}`,` `,Y(`i`,{class:`told`,children:`told`})]})})]})}z(),Hr(),Qb(),rx(),X();function jC({law:{tally:e,voted:t,members:n,quorum:r,status:i}}){if(i===`NOTICE`)return null;let a=e=>`${100*e/Math.max(1,n)}%`;return Y(`div`,{class:`turnout`,role:`img`,"aria-label":`${t} of ${n} have voted, ${r} are enough`,children:[e?Y(L,{children:[Y(`i`,{"data-vote":`yes`,style:{width:a(e.yes)}}),Y(`i`,{"data-vote":`no`,style:{width:a(e.no)}}),Y(`i`,{style:{width:a(e.abstain)}})]}):Y(`i`,{style:{width:a(t)}}),Y(`b`,{style:{left:a(r)}})]})}function MC({viewer:e,law:t}){let n=DC(e),{tally:r}=t;return Y(`article`,{class:`paper`,id:t.id,children:[Y(`h3`,{children:[Y(Z,{viewer:e,id:t.id,children:Y(`bdi`,{children:t.title})}),` `,Y(EC,{of:t.status})]}),Y(`p`,{children:Wr(t)}),Y(`p`,{children:Y(`small`,{children:[`proposed by `,Y(Z,{viewer:e,id:t.proposer}),`, `,R(t.proposed_tick,n),`; on`,` `,Y(Z,{viewer:e,id:t.land_id})]})}),Y(`ol`,{class:`stages`,children:[Y(`li`,{"data-on":t.status===`NOTICE`,children:[`notice`,Y(`small`,{children:R(t.proposed_tick,n)})]}),Y(`li`,{"data-on":t.status===`VOTING`,children:[`voting`,Y(`small`,{children:R(t.notice_ends_tick,n)})]}),Y(`li`,{"data-on":r!==null,children:[r?gr(t.status).word:`in force or rejected`,Y(`small`,{children:R(t.vote_ends_tick,n)})]})]}),Y(jC,{law:t}),r?Y(`p`,{children:[Y(`strong`,{children:[r.yes,` yes`]}),`, `,r.no,` no, `,r.abstain,` abstained`,` `,Y(`small`,{children:[`of `,t.members,` members`]})]}):Y(`p`,{children:[Y(`strong`,{children:[t.voted,` of `,t.members]}),` `,`have voted; `,t.quorum,` are enough. `,Y(`small`,{children:`Counted when the voting ends.`})]}),t.status===`ACTIVE`&&Y(PC,{viewer:e,law:t})]})}var NC={MARKET_TAX:[`taxed one trade`,`trades were taxed`],FINE_BREAK_PER_BLOCK:[`fined once`,`times somebody was fined`],ACCESS_PASS_CORE:[`one ticket was sold`,`tickets were sold`]};function PC({viewer:e,law:t}){let{time:n}=e,r=DC(e),i=NC[t.template_id],a=n.past.world?`?tick=${n.askedTick}`:``,o=Hx(i?`${n.tape.of}laws/${t.id}/effects${a}`:null),s=Y(L,{children:[`In force since`,` `,Y(Rb,{viewer:e,tick:t.vote_ends_tick,children:R(t.vote_ends_tick,r)})]});return i?o?Y(`details`,{class:`effects`,children:[Y(`summary`,{children:Y(`small`,{children:[s,`.`,` `,o.times===0?`Nobody has paid because of it.`:Y(L,{children:[o.times===1?i[0]:`${o.times} ${i[1]}`,Object.keys(o.paid).length>0&&Y(L,{children:[`, which brought `,ii(o.paid)]}),`.`]})]})}),Y(`ol`,{class:`lately`,children:o.newest.map(([t,n,i])=>Y(`li`,{children:[Y(Rb,{viewer:e,tick:t,children:R(t,r).replace(`day `,``)}),` `,Y(`span`,{children:[Y(Z,{viewer:e,id:n}),` `,Object.keys(i).length?`paid ${ii(i)}`:`traded too little to be taxed`]})]}))})]}):Y(`p`,{class:`effects`,children:Y(`small`,{children:[s,`.`]})}):Y(`p`,{class:`effects`,children:Y(`small`,{children:[s,`. It takes nothing from anyone: whoever acts against it is refused.`]})})}z(),Hr(),rx(),X();function FC({viewer:e,org:t}){let n=Object.entries(t.members).filter(([,e])=>e===`LEADER`).map(([e])=>e),r=e.society?.lands.filter(({owner:e})=>e===t.id)??[];return Y(`article`,{class:`paper`,children:[Y(`h3`,{children:[Y(`bdi`,{children:t.name}),` `,Y(`small`,{children:Tr(t.kind)})]}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`led by`}),Y(`dd`,{children:n.map(t=>Y(Z,{viewer:e,id:t}))})]}),Y(`div`,{children:[Y(`dt`,{children:`land`}),Y(`dd`,{children:r.length?r.map(({id:t,radius:n})=>Y(L,{children:[Y(Z,{viewer:e,id:t}),` `,Y(`small`,{children:[2*n+1,` across`]})]})):`none`})]}),Y(`div`,{children:[Y(`dt`,{children:`treasury`}),Y(`dd`,{id:`treasury`,children:[Y(nx,{items:t.treasury}),Y(qx,{viewer:e,org:t})]})]}),Y(`div`,{children:[Y(`dt`,{children:`since`}),Y(`dd`,{children:R(t.created_tick,DC(e))})]}),Y(`div`,{children:[Y(`dt`,{children:`members`}),Y(`dd`,{class:`members`,children:Y(OC,{viewer:e,ids:Object.keys(t.members)})})]})]})]})}z(),Hr(),Qb(),rx(),X();function IC({viewer:e,org:t}){let n=Gx(e,t)?.find(({saw:e})=>Object.keys(e).length);return n?Y(`article`,{class:`paper`,id:`town`,children:[Y(`h3`,{children:[`How `,t.name,` stood `,Y(`small`,{children:[`as its council saw it, `,R(n.tick,e.time.dayTicks)]})]}),Y(Jx,{of:n.saw})]}):null}function LC({viewer:e,org:t}){let n=e.papers.town(t.id);return e.time.past.world?Y(IC,{viewer:e,org:t}):n?Y(`article`,{class:`paper`,id:`town`,children:[Y(`h3`,{children:[`How `,t.name,` stands`]}),Y(Jx,{of:n.pressure}),Y(`p`,{children:n.mission?Y(L,{children:[Y(`strong`,{children:[n.mission.title,`.`]}),` `,n.mission.description]}):`The council has taken up no mission.`}),Y(`ul`,{class:`works`,children:n.projects.map(e=>Y(`li`,{children:[mr(e.name),` `,Y(`span`,{class:`bar`,children:Y(`i`,{style:{width:`${e.progress*100}%`}})}),` `,Y(`small`,{children:e.status})]},e.id))})]}):null}function RC({viewer:e,society:t}){return t.contracts.length?Y(`div`,{class:`wide`,tabIndex:0,role:`region`,"aria-label":`All contracts`,children:Y(`table`,{children:[Y(`thead`,{children:Y(`tr`,{children:[`No`,`Asked for`,`By`,`Reward`,`Taken by`,`State`,`Until`].map(e=>Y(`th`,{scope:`col`,children:e}))})}),Y(`tbody`,{children:t.contracts.map(n=>Y(`tr`,{children:[Y(`td`,{children:Y(Z,{viewer:e,id:n.id,children:Number(n.id.slice(1))})}),Y(`td`,{children:[si(n),Object.keys(n.brought).length>0&&Y(`small`,{children:[` `,ii(n.brought),` brought`]})]}),Y(`td`,{children:Y(Z,{viewer:e,id:n.poster})}),Y(`td`,{children:[Y(nx,{items:n.reward}),n.backer&&Y(`small`,{children:[` `,`+ `,ii(n.bonus),` from `,Y(Z,{viewer:e,id:n.backer})]})]}),Y(`td`,{children:Y(Z,{viewer:e,id:n.acceptor})}),Y(`td`,{children:Y(EC,{of:n.state})}),Y(`td`,{children:R(n.deadline_tick,t.day_ticks)})]},n.id))})]})}):Y(`p`,{class:`none`,children:`Nobody has asked for anything yet.`})}function zC({viewer:e,notice:t}){let{society:n,time:r}=e;if(r.isPast&&!r.past.world)return Y(`main`,{class:`society`,"data-time":`past`,children:[Y(Lb,{viewer:e}),Y(`p`,{class:`none`,children:r.problem?`There are no papers of that time.`:`Looking for the papers of that time…`})]});if(!n)return Y(`main`,{class:`society`,children:e.current.state===`live`?Y(`p`,{class:`none`,children:`Looking for the society's papers…`}):t});let{organisations:i,laws:a,boards:o}=n,s=wx(e.papers.elections,r.tick),c=i.find(({id:t})=>t===e.see)??i[0],l=new Set(n.lands.filter(({owner:e})=>e===c?.id).map(({id:e})=>e)),u=a.filter(({land_id:e})=>l.has(e)),d=a.filter(({land_id:e})=>!l.has(e)),f=Object.values(o).flat().sort((e,t)=>t.tick-e.tick).filter(({title:e,body:t},n,r)=>r.findIndex(n=>n.title===e&&n.body===t)===n).slice(0,8);return Y(`main`,{class:`society`,id:`society`,"data-time":e.time.isPast?`past`:`live`,children:[e.current.state===`away`&&Y(`p`,{class:`old`,role:`alert`,children:[e.current.why,` These are the last papers it sent, from `,R(n.tick,n.day_ticks),`.`]}),Y(Lb,{viewer:e}),Y(`nav`,{"aria-label":`Organisations`,children:[Y(`h2`,{children:`Organisations`}),i.map(t=>Y(`button`,{type:`button`,"aria-pressed":t===c,onClick:()=>e.choose(t.id),children:[Y(`bdi`,{children:t.name}),` `,Y(`small`,{children:[Tr(t.kind),`, `,Object.keys(t.members).length]})]},t.id)),!i.length&&Y(`p`,{class:`none`,children:`Nobody has founded anything yet.`}),Y(`h2`,{children:`Everyone`}),[[`laws`,`Laws`,a.length],[`contracts`,`Contracts`,n.contracts.length],[`boards`,`Boards`,f.length]].map(([e,t,n])=>Y(`button`,{type:`button`,onClick:()=>document.getElementById(`all-${e}`)?.scrollIntoView({block:`nearest`}),children:[t,` `,Y(`small`,{children:n})]})),n.event&&Y(`button`,{type:`button`,"aria-pressed":e.see===n.event.id,onClick:()=>e.choose(n.event.id),children:[n.event.title,` `,Y(`small`,{children:`event`})]}),n.cut&&Y(`p`,{children:Y(`small`,{children:`The tape had no room for all that there was.`})}),Y(`p`,{children:Y(`small`,{children:`What you see is what anyone in the world may know. Votes are counted, never named.`})})]}),Y(`section`,{id:`all-laws`,"aria-label":`Laws`,children:[Y(`h2`,{children:[`Laws`,c&&Y(L,{children:[` `,`of the land of `,Y(`bdi`,{children:c.name})]})]}),u.map(t=>Y(MC,{viewer:e,law:t})),!u.length&&Y(`p`,{class:`none`,children:`No law has been proposed here.`}),d.length>0&&Y(`h2`,{children:`Laws elsewhere`}),d.map(t=>Y(MC,{viewer:e,law:t})),c&&Y(LC,{viewer:e,org:c})]}),Y(`section`,{"aria-label":`Organisation and its council`,children:[Y(`h2`,{children:c?Y(`bdi`,{children:c.name}):`Nobody rules here`}),c&&Y(FC,{viewer:e,org:c}),s&&s.town===c?.id&&Y(AC,{viewer:e,election:s}),c?.kind===`CITY`&&Y(L,{children:[Y(`h2`,{children:`The council`}),Y(Kx,{viewer:e,org:c})]})]}),Y(`section`,{class:`all`,id:`all-contracts`,"aria-label":`Contracts`,children:[Y(`h2`,{children:`Contracts`}),Y(RC,{viewer:e,society:n})]}),Y(`section`,{class:`all`,id:`all-boards`,"aria-label":`Boards`,children:[Y(`h2`,{children:`On the boards`}),f.length?Y(kC,{viewer:e,posts:f}):Y(`p`,{class:`none`,children:`Nothing is posted.`})]})]})}Ly(),z(),Qb(),rx(),X();var BC=14,VC=20,HC=15;function UC({viewer:e,building:t}){let{time:n}=e,r=DC(e),[i,a]=cy(``),o=wh(t,e.papers.buildings,n.tick),{x:s,z:c}=xh(t),l=oi(e.society,Math.floor(s),Math.floor(c)),u=async()=>{let r=await Ur(`${n.tape.of}rising?building=${encodeURIComponent(t.id)}`);a(r?``:`This server does not know when it was built.`),r&&(e.goTo(s,c),n.playStretch(r.first-VC,r.last+HC,BC))};return Y(`article`,{class:`paper`,id:`building`,children:[Y(`p`,{class:`label`,children:`Building`}),Y(`h3`,{children:e.nameOf(t.id)}),Y(`div`,{class:`buttons`,children:[Y(`button`,{type:`button`,id:`rise`,disabled:!n.tape.state,onClick:()=>void u(),children:`Watch it rise`}),Y(`button`,{type:`button`,onClick:()=>e.goTo(s,c),children:`Go there`})]}),i&&Y(`p`,{class:`none`,children:i}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`asked by`}),Y(`dd`,{children:t.asked_by?Y(L,{children:[Y(Z,{viewer:e,id:t.asked_by}),` `,Y(`small`,{children:[R(t.asked_tick,r),`,`]}),` `,Y(Z,{viewer:e,id:t.contract})]}):`nobody: it was built without a contract`})]}),Y(`div`,{children:[Y(`dt`,{children:`built by`}),Y(`dd`,{children:Y(Z,{viewer:e,id:t.builder})})]}),Y(`div`,{children:[Y(`dt`,{children:`from`}),Y(`dd`,{children:Y(nx,{items:t.cost})})]}),Y(`div`,{children:[Y(`dt`,{children:`lives here`}),Y(`dd`,{id:`residents`,children:o.length?o.map(({id:t,since_tick:n},i)=>Y(L,{children:[i>0&&`, `,Y(Z,{viewer:e,id:t}),` `,Y(`small`,{children:[`since `,R(n,r)]})]})):`nobody, as far as was said in public`})]}),Y(`div`,{children:[Y(`dt`,{children:`since`}),Y(`dd`,{children:Y(Rb,{viewer:e,tick:t.completed_tick,children:R(t.completed_tick,r)})})]}),Y(`div`,{children:[Y(`dt`,{children:`on`}),Y(`dd`,{children:l?Y(Z,{viewer:e,id:l.id}):`land that nobody owns`})]})]})]})}Ly(),M(),xi(),z(),Hr(),Qb(),rx(),X();function WC({time:e,society:t,world:n},r){let i=r.split(`,`).map(Number),[a,,o]=i,s=e.past.placeAt(i);if(!s||s.block===void 0||!t||!n)return null;let c=n.looks.name(s.block),l=oi(t,a,o);return{...s,position:i,block:c,land:l?.id??``,posts:Object.hasOwn(t.boards,`${c}@${r}`)?t.boards[`${c}@${r}`]:[],contracts:t.contracts.filter(({terminal:e,state:t})=>e.join()===r&&(t===`OPEN`||t===`ACCEPTED`)).map(({id:e})=>e),holds:t.open_book?e.book.chestAt(r)??null:null}}function GC({viewer:e,at:t}){let{time:n,world:r}=e,i=n.past.world?`?tick=${n.askedTick}`:``,a=n.tape.state&&`${n.tape.of}places/${t}/changes${i}`,[o,s]=cy(null);return uy(()=>{let e=!1;return a&&Ur(a).then(t=>e||s(t)),()=>{e=!0}},[a]),!o?.length||!r?null:Y(`section`,{class:`effects`,id:`changes`,"aria-label":`What changed here`,children:[Y(`h4`,{children:`What changed here`}),Y(`ol`,{class:`lately`,children:o.map(({tick:t,before:n,after:i,actor:a,reason:o})=>Y(`li`,{children:[Y(Rb,{viewer:e,tick:t,children:R(t,DC(e)).replace(`day `,``)}),` `,Y(`span`,{children:[_(a)?Y(Z,{viewer:e,id:a}):`the world`,` `,yi({actor:a,pos:[0,0,0],from:n,to:i,reason:o},r.looks)]})]}))})]})}function KC({viewer:e,at:t}){let[n,r]=cy(void 0),i=e.time.isPast||e.awaitsPast;uy(()=>{r(void 0),i||Ur(`admin/v1/observer/places/${t}`).then(r)},[t,i]);let a=i?e.time.past.world?WC(e,t):void 0:n;if(!a)return Y(`p`,{class:`none`,children:a===void 0?`Looking…`:`Nothing is known of ${t}: nobody is near it.`});let o=e.society?.open_book;return Y(`article`,{class:`paper`,children:[Y(`h3`,{children:[yr(xr(a.block)),` `,Y(`small`,{children:[`at `,a.position.join(`, `)]})]}),Y(`dl`,{class:`facts`,children:[a.building&&Y(`div`,{children:[Y(`dt`,{children:`part of`}),Y(`dd`,{children:[a.structure?Y(Z,{viewer:e,id:a.structure,children:$r(a.building)}):$r(a.building),`, built by `,Y(Z,{viewer:e,id:a.builder})]})]}),Y(`div`,{children:[Y(`dt`,{children:`on`}),Y(`dd`,{id:`land-here`,children:a.land?Y(Z,{viewer:e,id:a.land}):`land that nobody owns`})]}),a.sign&&Y(`div`,{children:[Y(`dt`,{children:`says`}),Y(`dd`,{children:Y($b,{viewer:e,text:a.sign})})]}),a.holds&&Y(`div`,{children:[Y(`dt`,{children:`holds`}),Y(`dd`,{children:Y(nx,{items:a.holds})})]}),!a.holds&&!o&&/CHEST|FURNACE|TERMINAL/.test(a.block)&&Y(`div`,{children:[Y(`dt`,{children:`holds`}),Y(`dd`,{children:`kept private here`})]}),a.contracts.length>0&&Y(`div`,{children:[Y(`dt`,{children:`contracts`}),Y(`dd`,{children:a.contracts.map(t=>Y(L,{children:[Y(Z,{viewer:e,id:t}),` `]}))})]})]}),Y(kC,{viewer:e,posts:a.posts}),Y(GC,{viewer:e,at:t},t)]})}z(),rx(),X();function qC({viewer:e,contract:t}){let n=DC(e),r=e.buildings.find(e=>e.contract===t.id);return Y(`article`,{class:`paper`,children:[Y(`h3`,{children:[`Contract `,Number(t.id.slice(1)),` `,Y(EC,{of:t.state})]}),Y(`p`,{children:[si(t),Object.keys(t.brought).length>0&&Y(`small`,{children:[`, brought `,ii(t.brought)]})]}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`asked by`}),Y(`dd`,{children:Y(Z,{viewer:e,id:t.poster})})]}),Y(`div`,{children:[Y(`dt`,{children:`taken by`}),Y(`dd`,{children:Y(Z,{viewer:e,id:t.acceptor})})]}),Y(`div`,{children:[Y(`dt`,{children:`reward`}),Y(`dd`,{children:[Y(nx,{items:t.reward}),t.backer&&Y(`small`,{children:[` `,`and `,ii(t.bonus),` from `,Y(Z,{viewer:e,id:t.backer})]})]})]}),Object.keys(t.deposit).length>0&&Y(`div`,{children:[Y(`dt`,{children:`deposit`}),Y(`dd`,{children:Y(nx,{items:t.deposit})})]}),r&&Y(`div`,{children:[Y(`dt`,{children:`built`}),Y(`dd`,{children:Y(Z,{viewer:e,id:r.id})})]}),Y(`div`,{children:[Y(`dt`,{children:`since`}),Y(`dd`,{children:R(t.created_tick,n)})]}),Y(`div`,{children:[Y(`dt`,{children:`until`}),Y(`dd`,{children:R(t.deadline_tick,n)})]}),Y(`div`,{children:[Y(`dt`,{children:`at`}),Y(`dd`,{children:Y(Z,{viewer:e,id:`@${t.terminal.join(`,`)}`,children:[`the terminal at `,t.terminal[0],`, `,t.terminal[2]]})})]})]})]})}z(),qe();var JC=8,YC=8,XC=e=>/^(C|LAW)\d/.test(e)?4:/^A\d/.test(e)?2:.5;function ZC(e,t){let n=e=>e.refs.filter(e=>t.refs.includes(e)).reduce((e,t)=>e+XC(t),0),r=e.filter(e=>(e.tick!==t.tick||e.number!==t.number)&&n(e)>=2),i=e=>n(e)*1e3-Math.abs(e.tick-t.tick);return r.sort((e,t)=>i(t)-i(e)).slice(0,JC).sort((e,t)=>e.tick-t.tick)}function QC(e,t){let n=t-e.n*250,r=e.document.society.find(([e])=>e===n)?.[1]??{},i=[];for(let t of[`laws`,`contracts`,`organisations`,`lands`])for(let[a,o]of Object.entries(r[t]??{})){let r=e.records.one(n-1,t,a),s=o,c=s?r?ew(r,s):n?`is new`:``:`is gone`;c&&i.push({of:a,what:c})}return i.slice(0,YC)}var $C={status:``,state:``,voted:`votes`,stage:`upkeep`,owner:`owner`,acceptor:`taken by`};function ew(e,t){let n=e=>String(e||`nobody`).toLowerCase(),r=Object.entries($C).filter(([n])=>e[n]!==t[n]).map(([r,i])=>`${i} ${n(e[r])} → ${n(t[r])}`.trim());JSON.stringify(e.treasury)!==JSON.stringify(t.treasury)&&r.push(`treasury ${tw(e.treasury,t.treasury)}`);let[i,a]=[e.members,t.members].map(e=>Object.keys(e??{}).length);return typeof t.members==`object`&&i!==a&&r.push(`members ${i} → ${a}`),r.join(`, `)}function tw(e,t){return[...new Set([...Object.keys(e),...Object.keys(t)])].map(n=>[n,(t[n]??0)-(e[n]??0)]).filter(([,e])=>e).map(([e,t])=>`${t>0?`+`:`−`}${ii({[e]:Math.abs(t)})}`).join(`, `)}Ly(),M(),xi(),z(),Qb(),rx(),X();var nw=6e3,rw=25,iw=20;function aw({viewer:e,tick:t,which:n}){let{time:r,world:i}=e,[a,o]=cy(null);uy(()=>{o(null);let e=[[t,t],[t-nw,t-1],[t+1,Math.min(r.liveTick,t+nw)]];Promise.all(e.map(([e,t])=>e<=t?r.marks(e,t,1):null)).then(e=>o(e.flatMap(e=>e?.marks??[])))},[t]);let s=r.tape.segmentWith(t);if(t>r.liveTick)return Y(`p`,{class:`none`,children:[`Tick `,t,` has not come yet.`]});if(!s||!i)return Y(`p`,{class:`none`,children:r.tape.isGone(t)?`This moment is not on the tape: it cannot be shown.`:`Looking…`});let c=new bi;c.takeEach(s,t-1,t,i.looks,t=>e.nameOf(t));let l=c.lines([`society`,`people`,`talk`,`work`],1/0),u=l.slice(0,iw),d=l.find(e=>e.which===n)??u.find(({sort:e})=>e!==`work`)??u[0],p=a?.filter(e=>e.tick===t&&(!n||`${e.number}`===n)).sort((e,t)=>t.weight-e.weight)[0],m=s.tickAt(t),h=p?.refs.find(e=>m.agents.some(({id:t})=>t===e))??d?.see,g=n?m.happenings?.[Number(n)-1]:m.happenings?.find(e=>Array.isArray(e.pos)),_=(Array.isArray(g?.pos)?g.pos:void 0)??m.agents.find(({id:e})=>e===h)?.pos,v=p&&a?ZC(a,p):[],y=QC(s,t),x=r.dayTicks;return Y(`article`,{class:`paper event`,id:`event`,children:[Y(`p`,{class:`label`,children:`Event`}),Y(`h3`,{children:p?.text??(d?`${d.who} ${d.did}`:`Nothing that anyone noticed`)}),Y(`p`,{children:Y(`small`,{children:[R(t,x),`, tick `,t,_&&Y(L,{children:[` `,`· at`,` `,Y(`button`,{type:`button`,class:`see`,onClick:()=>e.goTo(_[0],_[2]),children:[_[0],`, `,_[2]]})]})]})}),Y(`div`,{class:`buttons`,children:Y(`button`,{type:`button`,id:`watch`,onClick:()=>{h?e.along(h):_&&e.goTo(_[0],_[2]),r.jump(Math.max(1,t-rw)),r.playing=!0},children:`Watch it`})}),u.length>0&&Y(L,{children:[Y(`h4`,{children:`What happened`}),Y(`ul`,{class:`lately`,children:u.map(t=>Y(`li`,{children:Y(`span`,{children:[t.see?Y(Z,{viewer:e,id:t.see,children:Y(`bdi`,{children:t.who})}):Y(`bdi`,{children:t.who}),` `,Y(Z,{viewer:e,id:b(t.tick,t.which),children:Y(`span`,{class:`did`,children:t.did})}),t.count>1&&Y(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&Y(L,{children:[` `,Y($b,{viewer:e,text:t.quote})]})]})}))})]}),a===null&&Y(`p`,{class:`none`,children:`Looking for what came before and after…`}),v.length>0&&Y(L,{children:[Y(`h4`,{children:`Before and after`}),Y(`ol`,{class:`lately`,id:`related`,children:v.map(n=>Y(`li`,{"data-after":n.tick>t,children:[Y(Rb,{viewer:e,tick:n.tick,children:R(n.tick,x).replace(`day `,``)}),` `,Y(`span`,{children:Y(Z,{viewer:e,id:b(n.tick,`${n.number}`),children:n.text})})]}))})]}),y.length>0&&Y(L,{children:[Y(`h4`,{children:`What changed`}),Y(`dl`,{class:`facts`,children:y.map(({of:t,what:n})=>Y(`div`,{children:[Y(`dt`,{children:Y(Z,{viewer:e,id:t})}),Y(`dd`,{children:n})]}))})]}),Y(`p`,{children:Y(`small`,{children:[`A world of your own from here: `,Y(`code`,{children:[`thorp world fork --at `,t,` --into what-if`]})]})}),Y(`p`,{children:Y(`small`,{children:Y(`a`,{class:`see`,href:`${f.pathname}story/day/${Math.floor(t/x)+1}`,onClick:n=>{n.preventDefault(),e.go(`story`,`day/${Math.floor(t/x)+1}`)},children:[`read on at day `,Math.floor(t/x)+1]})})})]})}Hn(),z(),rx(),X();var ow=[`trade`,`build`,`break`,`damage`];function sw({market_tax:e,fine:t,curfew:n},r){return r===`trade`?e?`${Math.round(e*100)} % is kept`:``:r===`break`&&t?`costs ${ri(...t)} a block`:r!==`damage`&&n?`not from ${Pn(n[0])} to ${Pn(n[1])}`:``}function cw({viewer:e,land:t}){let n=e.society?.laws.filter(({land_id:e,status:n})=>e===t.id&&n===`ACTIVE`)??[],r=e.society?.organisations.find(({id:e})=>e===t.owner),i=e.papers.town(t.owner);return Y(`article`,{class:`paper`,children:[Y(`h3`,{children:Y(`span`,{children:e.nameOf(t.id)})}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`owner`}),Y(`dd`,{children:Y(Z,{viewer:e,id:t.owner})})]}),Y(`div`,{children:[Y(`dt`,{children:`size`}),Y(`dd`,{children:[2*t.radius+1,` across, around `,t.anchor[0],`, `,t.anchor[2]]})]}),Y(`div`,{children:[Y(`dt`,{children:`upkeep`}),Y(`dd`,{children:[[`paid`,`late`,`missed: open to all`][t.stage]??`missed`,`, due `,R(t.due_tick,DC(e))]})]}),Y(`div`,{children:[Y(`dt`,{children:`a stranger`}),Y(`dd`,{class:`rights`,children:[ow.map(e=>{let n=t.visitors_may.includes(e);return Y(`span`,{"data-may":n,children:[n?`may`:`may not`,` `,e,` `,Y(`small`,{children:sw(t,e)})]})}),t.ticket&&Y(`span`,{"data-may":`true`,children:[`may enter the middle `,Y(`small`,{children:[`for `,ri(...t.ticket)]})]})]})]}),Y(`div`,{children:[Y(`dt`,{children:`laws`}),Y(`dd`,{children:n.length?n.map(({id:t},n)=>Y(L,{children:[n>0&&`, `,Y(Z,{viewer:e,id:t})]})):`none`})]}),r&&Y(`div`,{children:[Y(`dt`,{children:`treasury`}),Y(`dd`,{children:[Y(nx,{items:r.treasury}),Y(qx,{viewer:e,org:r})]})]}),r&&Y(`div`,{children:[Y(`dt`,{children:`members`}),Y(`dd`,{class:`members`,children:Y(OC,{viewer:e,ids:Object.keys(r.members)})})]})]}),i&&!e.time.past.world&&Y(L,{children:[Y(`h4`,{children:`How the town fares`}),Y(Jx,{of:i.pressure})]})]})}z(),Hr(),Qb(),X();var lw=600;function uw({viewer:e,event:t}){let n=DC(e),{center:r}=t,i=`took part: ${Cr(t.id)}`,a=e.chronicle.lines([`society`],lw).filter(e=>e.did===i&&e.tick>=t.start_tick),o=[...new Set(a.flatMap(({see:e})=>e??[]))];return Y(`article`,{class:`paper`,id:`world-event`,children:[Y(`p`,{class:`label`,children:`Event of the world`}),Y(`h3`,{children:t.title}),Y(`p`,{children:t.description}),Y(`dl`,{class:`facts`,children:[Y(`div`,{children:[Y(`dt`,{children:`from`}),Y(`dd`,{children:Y(Rb,{viewer:e,tick:t.start_tick,children:R(t.start_tick,n)})})]}),Y(`div`,{children:[Y(`dt`,{children:`until`}),Y(`dd`,{children:R(t.ends_tick,n)})]}),Y(`div`,{children:[Y(`dt`,{children:`where`}),Y(`dd`,{children:r?Y(L,{children:[t.radius,` around`,` `,Y(`button`,{type:`button`,class:`see`,onClick:()=>e.goTo(r[0],r[2]),children:[r[0],`, `,r[2]]})]}):`everywhere`})]}),Y(`div`,{children:[Y(`dt`,{children:`took part`}),Y(`dd`,{children:o.length?Y(OC,{viewer:e,ids:o}):`nobody yet, as far as is told here`})]})]})]})}function dw(e){let[t,n]=(e.get(`Story-Outcome`)??``).split(` `),r=Sw[t];if(!r)return null;let i=decodeURIComponent(e.get(`Story-Reason`)??``),a=e.get(`Story-Beat`),o=[n&&`${decodeURIComponent(n)}: ${i}`,a&&`beat ${a} of the audit`].filter(Boolean);return o.length?`${r} (${o.join(`; `)})`:r}function fw(e,t){let n=[],r={world:0,day:0,quarter:0,first:-1,strokes:[],entries:[]};for(let i of e.entries){let a=e.ticks.get(i.entry_id),o=a?Math.floor(a.first/t)+1:r.day,s=a?Math.floor(a.first%t*4/t):r.quarter;if(!n.length||o!==r.day||s!==r.quarter){if(a!==void 0&&a.first<r.first)for(let e of n)e.world+=1;r={world:0,day:o,quarter:s,first:a?.first??-1,strokes:Array(Tw).fill(0),entries:[]},n.push(r)}r.entries.push(i);for(let[,e]of a?.sentences??[])r.strokes[Math.min(7,Math.floor((e%t*4/t-s)*Tw))]+=1}return n}function pw(e,t,n){let r=!1,i=({entry_id:e})=>(r||=(t.ticks.get(e)?.last??-1)>n,!r);return e.map(e=>e.world?e:{...e,entries:e.entries.filter(i)}).filter(({entries:e})=>e.length)}function mw(e,t,n){let r=({entry_id:e})=>t.ticks.get(e)?.sentences.some(([,,e])=>e.includes(n))??!1;return e.map(e=>({...e,entries:e.entries.filter(r)})).filter(({entries:e})=>e.length)}function hw(e,t){let n=new Map(t.filter(([e])=>e.length>1).sort(([e],[t])=>t.length-e.length));if(!n.size)return[{text:e}];let r=[...n.keys()].map(e=>e.replace(/[\\^$.*+?()[\]{}|/-]/g,`\\$&`)).join(`|`);return e.split(RegExp(`(?<![\\p{L}\\p{N}_])(${r})(?![\\p{L}\\p{N}_])`,`u`)).map((e,t)=>t%2?{text:e,see:n.get(e)}:{text:e}).filter(e=>e.text)}var gw,_w,vw,yw,bw,xw,Sw,Cw,ww,Tw,Ew,Dw,Ow=n((()=>{M(),pe(),ce(),gw=500,_w=5e3,vw=4e4,yw=200,bw=5e3,xw=class{changed;entries=[];ticks=new Map;declared=new Set;pocket=null;greeting=null;link={name:`connecting`,text:`connecting`};hasEarlier=!1;revision=0;prepended=0;complaint=null;sentAt=null;spoken=0;pending=null;cursor=null;entryIds=new Set;started=!1;loadingAll=!1;wake=()=>{};constructor(e){this.changed=e}start(){this.started||(this.started=!0,addEventListener(`online`,()=>this.wake()),this.showRecorded())}async showEarlier(){let e=re(`v1/story/stream`);e.searchParams.set(`last`,String(this.entries.length+yw)),e.searchParams.set(`limit`,String(yw));let t=await fetch(e).catch(()=>null);if(!t?.ok)return;let n=await t.json();this.note(n);let r=this.fresh(n.stream.entries);this.entries=[...r,...this.entries],this.hasEarlier=r.length>0&&this.entries.length<bw,this.prepended+=1,this.tell()}async loadAll(){if(!this.loadingAll){for(this.loadingAll=!0;this.hasEarlier;){let e=this.entries.length;if(await this.showEarlier(),this.entries.length===e)break}this.loadingAll=!1}}isOfEarlierWorld(e){let t=-1,n=-1;for(let[r,{entry_id:i}]of this.entries.entries()){let a=this.ticks.get(i);if(i===e&&(n=r),a&&a.first<t&&n>=0&&n<r)return!0;t=a?.first??t}return!1}fresh(e){let t=e.filter(({entry_id:e})=>!this.entryIds.has(e));for(let{entry_id:e}of t)this.entryIds.add(e);return t}note({ticks:e,declared:t}){for(let[t,n]of Object.entries(e??{}))this.ticks.set(t,n);for(let e of t??[])this.declared.add(e)}tell(){this.revision+=1,this.changed()}hear(e){let{entries:t,cursor_before:n,cursor_after:r}=e.stream;for(this.cursor!==null&&this.cursor!==n&&this.forget(),this.entryIds.size===0&&(this.hasEarlier=n!==null),this.note(e),this.entries=[...this.entries,...this.fresh(t)];this.entries.length>bw;)this.entryIds.delete(this.entries.shift().entry_id),this.hasEarlier=!0;this.cursor=r,this.pocket=e.pocket,this.tell()}forget(){this.entries=[],this.entryIds.clear(),this.ticks.clear(),this.declared.clear()}follow(){let e=re(`v1/story/events`);this.cursor===null?e.searchParams.set(`last`,String(yw)):e.searchParams.set(`cursor`,this.cursor);let t=new EventSource(e),n=performance.now();return new Promise(e=>{let r=!1,i=()=>{clearInterval(a),t.close(),e(r)},a=setInterval(()=>{performance.now()-n>vw&&i()},1e3),o=(e,r)=>t.addEventListener(e,e=>{n=performance.now(),r(JSON.parse(e.data))});t.onopen=()=>{r=!0,this.link={name:`live`,text:`live`},this.tell()},t.onerror=i,o(`reader`,e=>{this.greeting=e,this.tell()}),o(`page`,e=>this.hear(e)),o(`still`,()=>{})})}async showRecorded(){let e=await fe(`v1/story/stream`);this.link={name:`live`,text:`a film`},e.ok?this.hear(await e.json()):this.tell()}async reason(){let e=re(`v1/story/stream`);e.searchParams.set(`limit`,`1`);let t=await fetch(e).catch(()=>null);if(t===null||t.ok)return`the server cannot be reached`;t.status===401&&ie();let{details:n}=await t.json().catch(()=>({details:t.statusText}));return`the server says: ${typeof n==`string`?n:t.statusText}`}async run(){for(let e=gw;;e=Math.min(e*1.6,_w))await this.follow()&&(e=gw),this.link={name:`away`,text:await this.reason()},this.tell(),await new Promise(t=>{this.wake=t,setTimeout(t,e)})}async speak(e,t){let n=this.greeting?.sender;if(this.sentAt!==null||!n)return!1;if(this.pending?.operator.input_text!==e||this.pending.declared_overrides.pause_time!==t){let r=[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``);this.pending={request_id:`page-${r}`,invoker:n.invoker,operator:{operator_id:n.operator_id,input_text:e},mode:{kind:`BEAT`},declared_overrides:{time:null,pause_time:t}}}return this.deliver()}async deliver(){this.complaint=null,this.sentAt=performance.now(),this.tell();let e=await fetch(re(`invocations`),{method:`POST`,headers:{"Content-Type":`application/json`},body:JSON.stringify(this.pending)}).then(async e=>({status:e.status,body:await e.json(),lost:dw(e.headers)})).catch(()=>({status:0,body:{error:`no answer came`},lost:null}));this.sentAt=null;let t=e.status===200;return t?this.taken(e.lost):this.refused(e.status,e.body),this.tell(),t}taken(e){this.pending=null,this.spoken+=1,e&&(this.complaint={text:`Your words are kept; ${e}`,again:!1}),this.wake()}refused(e,{error:t,details:n,writer:r}){let i=e===0||e>=500||e===429,a=Array.isArray(n)?n.map(({path:e,message:t})=>`${e}: ${t}`).join(`; `):n,o=r?`${r.code}: ${r.message}`:a;this.complaint={text:o?`${t} (${o})`:String(t),again:i},i||(this.pending=null)}},Sw={rejected:`what the writer proposed was rejected`,failed:`the writer failed`,looped:`the writer asked in a loop and wrote nothing`},Cw=[`before dawn`,`morning`,`afternoon`,`evening`],ww=[`first`,`second`,`third`,`fourth`,`fifth`,`sixth`,`seventh`,`eighth`,`ninth`,`tenth`,`eleventh`,`twelfth`,`thirteenth`,`fourteenth`,`fifteenth`,`sixteenth`,`seventeenth`,`eighteenth`,`nineteenth`,`twentieth`],Tw=8,Ew=e=>ww[e-1]?`The ${ww[e-1]} day`:`Day ${e}`,Dw=e=>4*Math.max(1,...[...e].map(({first:e,last:t})=>t-e+1))}));async function kw(e,t=!1){return!c(e)||O()!==null?{refused:`No story is told here.`,code:`no_story`}:{refused:`Its events, evidence and proof are not in this film.`,code:`film`}}function Aw(e,t,n){let r=c(e)?.number,i=r&&n?.sentences[r-1];if(!r||!i)return null;let a=r>1?n.sentences[r-2][0]:0;return{number:r,text:Array.from(t).slice(a,i[0]).join(``).trim(),asked:!0,basis:`tick and people`,tick:i[1],people:i[2],events:[],events_total:0,witnesses:i[2]}}function jw({kind:e,writer:t,refused:n,beat:r}){return`${Mw[e]||`the writer ${t??`of the story`} proposed it, and acceptance took it`}${n?.length?`, after it was refused as ${n.join(`, `)}`:``}${r===null?``:`; beat ${r}`}`}var Mw,Nw=n((()=>{M(),pe(),Mw={writer:``,operator:`the operator's own words, as they were said`,clock:`a time that the operator declared`,seed:`it was there from the beginning; nobody proposed it`}})),Pw=r({WhyCard:()=>Vw});function Fw({viewer:e,tick:t,see:n,children:r}){let i=l(`world`,n,`at=${t}`);return Y(`a`,{class:`see`,href:i,onClick:t=>{t.ctrlKey||t.metaKey||t.shiftKey||(t.preventDefault(),e.visit(i))},children:r})}function Iw({viewer:e,ids:t,none:n=`nobody`}){return t.length?Y(L,{children:[t.slice(0,Hw).map((t,n)=>Y(L,{children:[n>0&&`, `,Y(Z,{viewer:e,id:t})]})),t.length>Hw&&` and ${t.length-Hw} others`]}):Y(L,{children:n})}function Lw({viewer:e,sentence:t,leads:n}){let r=Uw(e),{events:i,events_total:a,tick:o,basis:s}=t,c=(t,i)=>n?Y(Fw,{viewer:e,tick:t,see:i,children:R(t,r).replace(`day `,``)}):R(t,r);return s===`nothing`||o===null?Y(`p`,{class:`none`,children:`No event of a world is noted for it.`}):i.length?Y(`ol`,{class:`lately`,id:`why-events`,children:[i.map(t=>Y(`li`,{children:[c(t.tick,t.id),` `,Y(`span`,{children:[t.kind,t.people.length>0&&Y(L,{children:[`, by `,Y(Iw,{viewer:e,ids:t.people})]}),t.place&&Y(L,{children:[`, at`,` `,n?Y(Z,{viewer:e,id:`@${t.place.join(`,`)}`,children:[t.place[0],`, `,t.place[2]]}):`${t.place[0]}, ${t.place[2]}`]}),` `,Y(`small`,{children:[t.id,` `,Y(`code`,{title:`SHA-256 ${t.digest}`,children:[t.digest.slice(0,12),`…`]})]})]})]})),a>i.length&&Y(`li`,{class:`none`,children:[`and `,a-i.length,` more of the kind`]})]}):Y(`p`,{id:`why-moment`,children:[c(o,`E${o}`),`, about `,Y(Iw,{viewer:e,ids:t.people})]})}function Rw({viewer:e,why:t,asked:n}){let{known:r,last:i}=t,a=i===null?r.since.slice(0,16).replace(`T`,` `):R(i,Uw(e)),o=r.readers_total!==null&&r.readers_total>r.readers.length;return Y(`div`,{id:`why-known`,children:[Y(`h4`,{children:`Who could know it`}),Y(`p`,{children:[r.scope===`PUBLIC`?`everybody`:Y(Iw,{viewer:e,ids:r.readers,none:`nobody else`}),o&&` (${r.readers_total} in all)`,` may read it, since `,a]}),n.filter(({witnesses:e,tick:t})=>e.length&&t!==null).map(({witnesses:t,tick:n})=>Y(`p`,{children:[Y(Iw,{viewer:e,ids:t}),` knew of it since `,R(n,Uw(e))]}))]})}function zw({viewer:e,why:t,asked:n}){let{proposal:r,handed:i}=t,a=new Set(n.flatMap(({events:e})=>e.map(({id:e})=>e)));return Y(`div`,{id:`why-proposed`,children:[Y(`h4`,{children:`How it came to be written`}),Y(`p`,{children:jw(r)}),i.length>0&&Y(`p`,{children:[`It was handed `,i.length,` `,i.length===1?`event`:`events`,`, and this cites `,a.size,`.`]}),!r.is_known&&Y(`p`,{class:`none`,children:`What it was given cannot be found out any more.`}),r.given.length>0&&Y(`ol`,{class:`lately`,children:[r.given.map(t=>Y(`li`,{children:Y(`span`,{children:[t.cited&&Y(`strong`,{children:`quoted `}),Y(Z,{viewer:e,id:t.entry_id,children:Y(`bdi`,{children:t.excerpt})}),` `,Y(`small`,{children:t.by===`WINDOW`?`in its window`:`by ${t.by}`})]})})),r.given_total>r.given.length&&Y(`li`,{class:`none`,children:[`and `,r.given_total-r.given.length,` more`]})]})]})}function Bw({see:e}){let[t,n]=cy(null),r=()=>{n(`asked`),kw(e,!0).then(n)},i=t&&t!==`asked`&&`why`in t?t.why.proof:null;return Y(`div`,{id:`why-proof`,"aria-live":`polite`,children:[Y(`h4`,{children:`Proof`}),t===null&&Y(`p`,{children:Y(`button`,{type:`button`,onClick:r,children:`Prove it`})}),t===`asked`&&Y(`p`,{class:`none`,children:`Proving…`}),t&&t!==`asked`&&`refused`in t&&Y(`p`,{class:`none`,children:[`Not proved: `,t.refused]}),i&&Y(`p`,{children:[`Proved: leaf `,i.leaf,` of `,Y(`bdi`,{children:i.origin}),` has the story's tip after `,i.beats,` beats,`,` `,Y(`code`,{title:i.tip,children:[i.tip.slice(0,12),`…`]}),`, under the checkpoint of `,i.size,` leaves signed by `,Y(`bdi`,{children:i.signed_by.join(`, `)}),`.`]})]})}function Vw({viewer:e,see:t}){let{story:n}=e,[r,i]=cy(null);uy(()=>{let e=!1;return kw(t).then(n=>e||i({see:t,answer:n})),()=>{e=!0}},[t]);let a=r?.see===t?r.answer:null,o=n.entries.find(({entry_id:e})=>e===c(t)?.entry),s=o?Aw(t,o.text,n.ticks.get(o.entry_id)):null,l=a&&`why`in a?a.why:null,u=l?.sentences.filter(e=>e.asked)??(s?[s]:[]),d=!n.isOfEarlierWorld(c(t)?.entry??``)&&(l?.last??0)<=e.time.liveTick;return Y(`article`,{class:`paper why`,id:`why`,children:[Y(`p`,{class:`label`,children:`Why the story says this`}),u.map(t=>Y(L,{children:[Y(`blockquote`,{children:Y(`bdi`,{children:t.text})}),(l||a)&&Y(L,{children:[Y(`h4`,{children:`What it was made from`}),l&&t.basis===`tick and people`&&Y(`p`,{class:`none`,children:`Pages of this age did not note their events: it is known by its tick and people only.`}),Y(Lw,{viewer:e,sentence:t,leads:d})]})]})),!a&&Y(`p`,{class:`none`,children:`Looking…`}),a&&`refused`in a&&Y(`p`,{class:`none`,id:`why-refused`,children:a.refused}),l&&Y(L,{children:[!d&&Y(`p`,{class:`none`,children:`This is of a world before the one that is shown.`}),Y(Rw,{viewer:e,why:l,asked:u}),Y(zw,{viewer:e,why:l,asked:u}),Y(Bw,{see:t},t)]})]})}var Hw,Uw,Ww=n((()=>{Ly(),M(),z(),Ow(),Nw(),rx(),X(),Hw=12,Uw=e=>e.society?.day_ticks??Dw(e.story.ticks.values())}));Ly(),M(),z(),Qb(),rx(),X();function Gw({viewer:e,see:t}){let{time:n}=e,[r,i]=cy([]);return uy(()=>{i([]),n.tape.state&&n.marks(0,n.liveTick,1).then(e=>i(e?.marks.filter(({refs:e})=>e.includes(t))??[]))},[t,n.tape.state!==null]),Y(`div`,{id:`gone`,children:[Y(`p`,{class:`none`,children:[`There is no `,t,` here, or not any more.`]}),r.length>0&&Y(`ol`,{class:`lately`,children:r.map(t=>Y(`li`,{children:[Y(Rb,{viewer:e,tick:t.tick,children:R(t.tick,n.dayTicks).replace(`day `,``)}),` `,Y(`span`,{children:Y(Z,{viewer:e,id:b(t.tick,`${t.number}`),children:t.text})})]}))})]})}var Kw=async()=>(await cS(async()=>{let{WhyCard:e}=await Promise.resolve().then(()=>(Ww(),Pw));return{WhyCard:e}},void 0,{}.url)).WhyCard;function qw({viewer:e,see:t}){let n=e.society,r=n?.laws.find(({id:e})=>e===t),i=n?.contracts.find(({id:e})=>e===t),a=n?.organisations.find(({id:e})=>e===t),o=n?.lands.find(({id:e})=>e===t),l=s(t),u=wx(e.papers.elections,e.time.tick),d=vh(t)?e.papers.buildings.find(({id:e})=>e===t):void 0;return Y(`section`,{class:`thing`,id:`thing`,"aria-label":`What you look at`,children:[Y(`div`,{class:`buttons`,children:[e.isOther||Y(ex,{viewer:e}),Y(`button`,{type:`button`,onClick:()=>e.choose(null),children:`Close`})]}),r?Y(MC,{viewer:e,law:r}):i?Y(qC,{viewer:e,contract:i}):a?Y(FC,{viewer:e,org:a}):o?Y(cw,{viewer:e,land:o}):n?.event?.id===t?Y(uw,{viewer:e,event:n.event}):l?Y(aw,{viewer:e,tick:l.tick,which:l.which}):c(t)?Y(Fx,{load:Kw,with:{viewer:e,see:t}}):t===`ELECTION`&&u?Y(AC,{viewer:e,election:u}):d?Y(UC,{viewer:e,building:d},t):v(t)?Y(KC,{viewer:e,at:t.slice(1)}):n?Y(Gw,{viewer:e,see:t}):Y(`p`,{class:`none`,children:`Looking…`})]})}Ly(),M(),X();var Jw=wC();function Yw({viewer:e,hands:t}){let[n,r]=cy(null),i=()=>{if(n)return n.end();let t=document.querySelector(`#scene`);t&&Jw&&r(new TC(t,Jw,`thorp-${e.time.tick}.webm`,()=>r(null)))},a=n?`End the clip and keep it`:`Record a clip`;return Y(L,{children:[Jw&&Y(`button`,{type:`button`,id:`clip`,"aria-pressed":n!==null,disabled:e.isMap&&!n,title:a,"aria-label":a,onClick:i,children:Y(`svg`,{viewBox:`0 0 20 20`,children:n?Y(`path`,{d:`M6 6h8v8H6z`}):Y(`path`,{d:`M10 5a5 5 0 1 0 .01 0M10 8a2 2 0 1 0 .01 0`})})}),!1]})}M(),X();function Xw({viewer:e,hands:t}){return Y(`div`,{class:`tools`,role:`toolbar`,"aria-label":`View`,children:[Y(`button`,{type:`button`,id:`map`,"aria-pressed":e.isMap,title:`Map (M)`,"aria-label":`Map`,onClick:t.toggleMap,children:Y(`svg`,{viewBox:`0 0 20 20`,children:Y(`path`,{d:`M3 5l5-2 4 2 5-2v12l-5 2-4-2-5 2zM8 3v12M12 5v12`})})}),Y(`button`,{type:`button`,title:`Zoom in (+)`,"aria-label":`Zoom in`,onClick:()=>t.zoom(.7),children:Y(`svg`,{viewBox:`0 0 20 20`,children:Y(`path`,{d:`M10 4v12M4 10h12`})})}),Y(`button`,{type:`button`,title:`Zoom out (−)`,"aria-label":`Zoom out`,onClick:()=>t.zoom(1.4),children:Y(`svg`,{viewBox:`0 0 20 20`,children:Y(`path`,{d:`M4 10h12`})})}),Y(`button`,{type:`button`,id:`compare-button`,"aria-pressed":t.kept!==null||t.second!==null,disabled:e.isMap||!e.time.tape.state,title:`Compare (C)`,"aria-label":`Compare`,onClick:t.toggleCompare,children:Y(`svg`,{viewBox:`0 0 20 20`,children:Y(`path`,{d:`M10 3v14M8 5H3v10h5M12 5h5v10h-5`})})}),!1,Y(Yw,{viewer:e,hands:t}),Y(`button`,{type:`button`,"aria-pressed":t.help,title:`Keys (?)`,"aria-label":`Keys`,onClick:t.toggleHelp,children:Y(`svg`,{viewBox:`0 0 20 20`,children:Y(`path`,{d:`M7 7.5a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2M10 15.2v.6`})})})]})}Ly(),M(),pe(),on(),z(),Ry(),X();function Zw(e){let t=new Map;return[...e].sort((e,t)=>t.weight-e.weight||e.tick-t.tick).map(e=>{let n=t.get(e.weight)??0;return t.set(e.weight,n+1),{one:e,rank:n}}).sort((e,t)=>e.rank-t.rank||t.one.weight-e.one.weight).map(({one:e})=>e)}function Qw(e,t,n){let r=Math.floor(n/t),i=e.entries.flatMap(({entry_id:t,text:n})=>{let r=Array.from(n),i=0;return(e.ticks.get(t)?.sentences??[]).map(([e,t,,n=0])=>{let a=r.slice(i,e).join(``).trim();return i=e,{text:eT(a),tick:t,weight:n}})}).filter(e=>Math.floor(e.tick/t)===r-1);return i.length?{day:r,sentences:Zw(i).slice(0,5).sort((e,t)=>e.tick-t.tick)}:null}var $w,eT,tT=n((()=>{$w=/^(?:on|in|early|late|shortly|around|at|towards)\b[^.“”]{0,40}? day,(?: (?:before|after) \w+,)? /i,eT=e=>{let t=e.replace($w,``);return t.charAt(0).toUpperCase()+t.slice(1)}}));function nT({viewer:e,perDay:t,tick:n}){let r=Qw(e.story,t,n);return r?Y(`details`,{class:`yesterday`,id:`yesterday`,open:!0,children:[Y(`summary`,{children:[`Yesterday, day `,r.day,`, in five sentences`]}),Y(`ul`,{children:r.sentences.map(({text:e,tick:n})=>Y(`li`,{children:[Y(`a`,{class:`hour`,href:E(n),title:`watch it`,children:Pn(n%t/t)}),Y(`span`,{children:e})]},`${n} ${e}`))})]}):null}var rT=n((()=>{M(),Hn(),tT(),X()})),iT=n((()=>{})),aT=r({StoryPlace:()=>oT});function oT({viewer:e}){let{story:t}=e,n=e.society?.day_ticks??Dw(t.ticks.values()),r=e.live?.crowd.list.length,{time:a}=e,o=py(()=>fw(t,n),[t.revision,n]),s=new URLSearchParams(i().query).get(`with`),c=py(()=>{let n=a.isPast?pw(o,t,a.tick):e.awaitsPast?[]:o;return s?mw(n,t,s):n},[o,a.isPast&&a.tick,e.awaitsPast,s]),u=py(()=>Y(uT,{viewer:e,timeline:c,perDay:n}),[c,r,e.society,e.see]),d=Math.max(0,...Array.from(t.ticks.values(),({last:e})=>e)),f=a.isPast?a.tick:e.live?.tick?.tick??d,[p,m]=cy(``),h=({target:e})=>{let t=e instanceof Element&&e.closest(`li[data-id]`)?.dataset.id;t&&m(t)};return uy(()=>t.start(),[]),uy(()=>{s&&t.loadAll()},[s,t.hasEarlier]),Y(L,{children:[Y(`main`,{class:`story`,id:`story-place`,"data-time":a.isPast?`past`:`live`,children:[Y(Lb,{viewer:e}),Y(sT,{viewer:e,timeline:c}),Y(`section`,{class:`telling`,"aria-label":`The stream`,onClick:t=>{h(t);let{target:n}=t;if(!(n instanceof Element)||n.closest(`a, button`)||getSelection()?.toString())return;let r=n.closest(`[data-why]`)?.dataset.why;r&&e.choose(r)},onFocusIn:h,children:[Y(yT,{story:t}),s&&Y(`p`,{class:`with`,id:`with`,children:[`Passages with `,Y(Z,{viewer:e,id:s}),` ·`,` `,Y(`a`,{class:`see`,href:l(`story`,null),onClick:lT,children:`the whole story`})]}),!s&&!e.part&&Y(nT,{viewer:e,perDay:n,tick:f}),Y(cT,{viewer:e,text:u,timeline:c}),!0]})]}),!e.see&&Y(_T,{viewer:e,timeline:c,passage:p,perDay:n})]})}function sT({viewer:e,timeline:t}){let n=t.filter(({day:e,world:t})=>e&&!t),r=t=>n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.go(`story`,t),document.getElementById(t)?.scrollIntoView())};if(!n.length)return null;let i=Math.max(1,...n.flatMap(({strokes:e})=>e));return Y(`nav`,{class:`days`,"aria-label":`Days`,children:[Y(`h2`,{class:`label`,children:`The story of Thorp`}),n.map((e,t)=>Y(L,{children:[e.day!==n[t-1]?.day&&Y(`a`,{class:`day`,href:l(`story`,null,``,`day/${e.day}`),onClick:r(`day/${e.day}`),children:[`Day `,e.day]}),Y(`a`,{href:`#${ST(e)}`,onClick:t=>{t.preventDefault(),document.getElementById(ST(e))?.scrollIntoView()},children:[Cw[e.quarter],Y(`svg`,{viewBox:`0 0 40 14`,"aria-hidden":`true`,children:e.strokes.map((e,t)=>Y(`rect`,{x:t*5,y:13-13*e/i,width:`4`,height:1+13*e/i}))})]})]}))]})}function cT({viewer:e,text:t,timeline:n}){let{story:r,part:i}=e,a=fy(null),o=fy({height:0,top:0,atEnd:!0,count:0,prepended:0,spoken:0,sticks:!0,part:``}),[s,c]=cy(0),l=()=>{a.current.scrollTop=a.current.scrollHeight,c(0)},u=()=>{let{scrollHeight:e,scrollTop:t,clientHeight:n}=a.current;Object.assign(o.current,{height:e,top:t,atEnd:e-t-n<xT})};return dy(()=>{let e=a.current,t=o.current,n=r.entries.length-t.count,d=t.count===0&&n>0,f=i&&i!==t.part?document.getElementById(i):null;r.spoken!==t.spoken&&(t.sticks=!0),f?(f.scrollIntoView(),Object.assign(t,{part:i,sticks:!1})):i&&i!==t.part&&r.hasEarlier?r.showEarlier():r.prepended===t.prepended?d||t.sticks&&t.atEnd?l():n>0&&c(s+n):e.scrollTop=e.scrollHeight-(t.height-t.top),Object.assign(t,{count:r.entries.length,prepended:r.prepended,spoken:r.spoken}),u()},[r.revision,r.spoken,i]),Y(L,{children:[r.hasEarlier&&Y(`button`,{id:`earlier`,type:`button`,onClick:()=>void r.showEarlier(),children:`Earlier`}),Y(`ol`,{id:`stream`,role:`log`,"aria-live":`polite`,"aria-label":`What you perceive`,tabIndex:0,ref:a,onScroll:()=>{u(),o.current.atEnd?c(0):o.current.sticks=!1},children:[t,n.length>0&&Y(mT,{viewer:e}),!n.length&&r.link.name===`live`&&Y(`li`,{class:`none`,children:`Nothing has been told yet.`})]}),Y(`button`,{id:`below`,type:`button`,hidden:!s,onClick:l,children:[s,` new`]})]})}function lT(e){e.ctrlKey||e.metaKey||e.shiftKey||(e.preventDefault(),a(e.currentTarget.href,`push`),dispatchEvent(new PopStateEvent(`popstate`)))}function uT({viewer:e,timeline:t,perDay:n}){return Y(L,{children:t.map((r,i)=>{let a=r.day>0&&(r.day!==t[i-1]?.day||r.world!==t[i-1].world),o=r.world===0&&r.day>0;return Y(L,{children:[a&&Y(`li`,{class:`divide`,id:o&&r.day!==t[i-1]?.day?`day/${r.day}`:void 0,children:Y(`h2`,{children:[Ew(r.day),` `,Y(`small`,{children:r.world?`of a world before this one`:`the village's own calendar`})]})}),r.day>0&&Y(`li`,{class:`divide`,id:o?ST(r):void 0,children:[Y(`h3`,{class:`label`,children:Cw[r.quarter]}),Y(`hr`,{}),o&&Y(`a`,{class:`watch`,href:E(r.first),onClick:lT,children:`▶ watch it`})]}),r.entries.map(t=>Y(dT,{viewer:e,entry:t,live:o,perDay:n},t.entry_id))]})})})}function dT({viewer:e,entry:t,live:n,perDay:r}){let{story:i}=e,a=i.ticks.get(t.entry_id),o=a?.sentences[0]?.[1]??a?.first,s=i.pocket?.clock.timezone;return Y(`li`,{"data-id":t.entry_id,"data-channel":t.channel,title:a?void 0:hT(t.created_at_world,s),children:[o!==void 0&&(n?Y(`a`,{class:`hour`,href:E(o),title:`watch it`,onClick:lT,children:Pn(o%r/r)}):Y(`time`,{class:`hour`,children:Pn(o%r/r)})),t.author_label!==null&&Y(`b`,{children:t.author_label}),Y(`span`,{children:a?.sentences.length?Y(pT,{viewer:e,entry:t,sentences:a.sentences,perDay:r,live:n}):Y(`data`,{"data-why":x(t.entry_id),"data-asked":e.see===x(t.entry_id),children:[t.text,Y(fT,{viewer:e,see:x(t.entry_id)})]})})]})}function fT({viewer:e,see:t}){return Y(`button`,{type:`button`,class:`why-link`,"aria-label":`Why does the story say this?`,"aria-pressed":e.see===t,onClick:()=>e.choose(t)})}function pT({viewer:e,entry:t,sentences:n,perDay:r,live:i}){let a=Array.from(t.text),o=e.society,s=(o?.organisations??[]).map(({id:e,name:t})=>[t,e]),c=(o?.laws??[]).map(({id:e,title:t})=>[`“${t}”`,e]);return Y(L,{children:[...n,[a.length,0,[]]].map(([o,l,u],d)=>{let f=u.flatMap(t=>[[t,t],[e.nameOf(t),t],[`${e.nameOf(t)} (${t})`,t]]),p=a.slice(d?n[d-1][0]:0,o).join(``),m=x(t.entry_id,d<n.length?d+1:0);return p&&Y(`data`,{value:l,title:l?`${R(l,r)}; a click says why`:void 0,"data-asked":e.see===m,"data-why":m,children:[hw(p,i?[...s,...c,...f]:[]).map(t=>t.see?Y(Z,{viewer:e,id:t.see,children:t.text}):t.text),Y(fT,{viewer:e,see:m})]})})})}function mT({viewer:e}){let{live:t,papers:n,story:r}=e;if(!t?.tick||!n.society||!r.ticks.size)return null;let{tick:i,perDay:a}={tick:t.tick.tick,perDay:n.society.day_ticks},o=Math.floor(i%a*4/a),s=(o+1)*a/4-i%a,c=Math.ceil(s/t.bootstrap.world_params.tick_rate_hz/60);return Y(`li`,{class:`divide coming`,id:`coming`,children:[Y(`h3`,{class:`label`,children:[Cw[o],` of day `,Math.floor(i/a)+1]}),Y(`hr`,{}),Y(`small`,{children:[`told at `,Pn((o+1)/4%1),`; `,c,` min for you`]})]})}function hT(e,t){try{return t?`${new Date(e).toLocaleString(`sv-SE`,{timeZone:t})} ${t}`:e}catch{return e}}function gT({viewer:e,timeline:t,passage:n,perDay:r}){let{story:i,society:a}=e,o=t.flatMap(({entries:e})=>e).filter(({entry_id:e})=>n?e===n:i.ticks.has(e)).pop(),s=o&&i.ticks.get(o.entry_id);if(!o||!s)return null;let c=s.sentences[0]?.[1]??s.first,l=[...(a?.organisations??[]).map(({id:e,name:t})=>[t,e]),...(a?.laws??[]).map(({id:e,title:t})=>[`“${t}”`,e])],u=new Set([...s.sentences.flatMap(([,,e])=>e),...hw(o.text,l).flatMap(({see:e})=>e??[])]),d=t=>e.live?.crowd.get(t)?.agent.title??a?.organisations.find(e=>e.id===t)?.kind.toLowerCase()??(t.startsWith(`LAW`)?`law`:``);return Y(`div`,{id:`in-passage`,class:n?``:`newest`,children:[Y(`h3`,{class:`label`,children:n?`In this passage`:`In the newest passage`}),Y(`ul`,{children:[...u].map(t=>Y(`li`,{children:[Y(Z,{viewer:e,id:t}),` `,Y(`small`,{children:Y(`bdi`,{children:d(t)})})]}))}),!u.size&&Y(`p`,{class:`none`,children:`Nobody by name.`}),Y(`p`,{children:Y(`a`,{class:`see`,href:E(c),onClick:lT,children:[`see it at `,R(c,r)]})})]})}function _T({viewer:e,...t}){let{story:n}=e,{greeting:r,pocket:i}=n;return Y(`aside`,{class:`panel one story-side`,children:[Y(gT,{viewer:e,...t}),r&&Y(`p`,{children:[Y(`span`,{class:`label`,children:`Who reads`}),Y(`br`,{}),` You read`,` `,Y(`strong`,{id:`eyes`,children:r.reader===null?`as everybody`:r.sender?.operator_id===r.reader?`as the operator`:`as ${r.reader}`}),r.reader===null&&`: what is public`,`.`]}),Y(vT,{viewer:e,pocket:i})]})}function vT({viewer:e,pocket:t}){let{story:n,live:r,papers:i}=e,a=fy(null);uy(()=>{let e=()=>{a.current.open=bT.matches};return e(),bT.addEventListener(`change`,e),()=>bT.removeEventListener(`change`,e)},[]);let o=n.ticks.size>0&&r?.tick&&i.society,s=!n.ticks.size||n.declared.size>0,c=t?.clock.world_time;return Y(`details`,{id:`pocket`,hidden:!t?.is_available,ref:a,children:[Y(`summary`,{children:`Pocket`}),o&&Y(`p`,{children:[`The village's clock: `,R(r.tick.tick,i.society.day_ticks),`.`]}),s&&c&&Y(`p`,{children:[n.declared.size>0&&`declared: `,Y(`time`,{id:`clock`,dateTime:c,children:c.slice(0,16).replace(`T`,` `)}),` `,Y(`small`,{id:`zone`,children:t.clock.timezone})]}),Y(`h3`,{class:`label`,children:`Calendar`}),Y(`ul`,{id:`calendar`,children:t?.calendar.items.map(({title:e,time:t,location:n,notes:r})=>Y(CT,{first:e,rest:[t,n,r]}))}),!t?.calendar.items.length&&Y(`p`,{class:`none`,children:`Nothing is planned.`}),Y(`h3`,{class:`label`,children:`Messages`}),Y(`ul`,{id:`messages`,children:t?.messages.items.map(({text:e,from:t,time:n})=>Y(CT,{first:e,rest:[t,n]}))}),!t?.messages.items.length&&Y(`p`,{class:`none`,children:`No messages.`})]})}function yT({story:e}){return Y(`div`,{class:`complaint`,id:`notice`,role:`alert`,hidden:!e.complaint,children:[Y(`p`,{id:`why`,children:e.complaint?.text}),Y(`button`,{id:`again`,type:`button`,hidden:!e.complaint?.again,onClick:()=>document.querySelector(`#composer`)?.requestSubmit(),children:`Try again`})]})}var bT,xT,ST,CT,wT=n((()=>{Ly(),M(),Hn(),z(),Ow(),Qb(),rx(),rT(),iT(),X(),bT=matchMedia(`(min-width: 50.01rem)`),xT=40,ST=({day:e,quarter:t})=>`day/${e}/${Cw[t].replace(` `,`-`)}`,CT=({first:e,rest:t})=>Y(`li`,{children:[e,t.filter(Boolean).map(e=>Y(`small`,{children:e}))]})}));Ly(),M(),xi(),Qb(),X();var TT=[`low`,`half`,`high`],ET=`The world. Arrows move, Q and E turn, plus and minus zoom, N and P watch the next and the previous agent.`,DT={world:`Thorp`,society:`Society of Thorp`,story:`Story of Thorp`,matches:`Matches`};function OT({viewer:e,hands:t,now:n}){let r=fy(null),i=fy(null);uy(()=>t.attach(r.current,i.current),[]);let{place:a}=e,o=a===`world`;return uy(()=>{document.title=[e.see&&e.nameOf(e.see),DT[a]].filter(Boolean).join(` · `)}),Y(L,{children:[Y(rC,{viewer:e,hands:t,now:n}),Y(`main`,{class:`scene`,hidden:!o,"data-state":e.current.state,"data-empty":!e.world?.tick,"data-time":e.time.isPast||e.awaitsPast?`past`:`live`,"data-watched":e.attention.watched,children:[Y(`canvas`,{id:`scene`,tabIndex:0,"aria-label":ET,ref:r}),Y(`canvas`,{class:`overlay`,"aria-hidden":`true`,ref:i}),e.isMap||t.second!==null||Y(Ax,{viewer:e,hands:t,now:n}),Y(`div`,{class:`foot`,children:[Y(fC,{viewer:e,now:n}),t.tour.on&&Y(`p`,{class:`tour`,id:`tour`,role:`status`,children:[Y(`strong`,{children:`Tour`}),` `,Y(`bdi`,{children:t.tour.why||`Looking for something to see…`}),` `,Y(`small`,{children:`any key ends it`})]})]}),t.kept&&Y($y,{viewer:e,kept:t.kept,end:t.toggleCompare}),t.second&&!e.isMap&&Y(Wy,{viewer:e,second:t.second,attach:t.attachSecond,compareMoments:t.compareMoments,end:t.toggleCompare}),!t.second&&Y(Lb,{viewer:e}),Y(dC,{viewer:e,now:n,retry:t.retry,join:t.toggleJoin}),Y(OS,{viewer:e,hands:t}),Y(Xw,{viewer:e,hands:t})]}),a===`society`&&Y(zC,{viewer:e,notice:Y(dC,{viewer:e,now:n,retry:t.retry,join:t.toggleJoin})}),Object.hasOwn(kT,a)&&Y(AT,{viewer:e,...kT[a]},a),(o&&e.current.state!==`founding`||e.see&&!(a===`society`&&e.society?.organisations.some(({id:t})=>t===e.see)))&&Y(jT,{viewer:e,second:o?t.second:null}),o&&Y(Ib,{viewer:e,lane:t.lane,second:t.second}),t.help&&Y(Px,{viewer:e,close:t.toggleHelp}),t.join&&Y(sx,{viewer:e,close:t.toggleJoin}),t.send&&!1,t.whatIf&&!1]})}var kT={story:{load:async()=>(await cS(async()=>{let{StoryPlace:e}=await Promise.resolve().then(()=>(wT(),aT));return{StoryPlace:e}},void 0,{}.url)).StoryPlace,name:`the story`}};function AT({viewer:e,load:t,name:n}){let[r,i]=cy(`Looking for ${n}…`);uy(()=>{t().then(e=>i(()=>e),()=>i(`This part of the page did not come; load the page again.`))},[]);let a=r;return typeof a==`string`?Y(`main`,{class:`society`,children:Y(`p`,{class:`none`,children:a})}):Y(a,{viewer:e})}function jT({viewer:e,second:t}){let[n,r]=cy(`people`),[i,a]=cy(pi),o=e=>a(pi.filter(t=>t===e?!i.includes(t):i.includes(t))),[s,c]=cy(1),l=Y(`button`,{type:`button`,class:`grip`,"aria-label":`Panel: ${TT[s]}. Change its height`,onClick:()=>c((s+1)%TT.length)}),u=t?.chosen!=null,d=u?t.viewer:e,{see:f}=d,p=f?d.world?.crowd.get(f):void 0,m=u?`there`:`here`;return p?Y(`aside`,{class:`panel one`,"data-sheet":TT[s],children:[l,t&&Y(Ky,{second:t,isThere:u}),Y(TS,{viewer:d,body:p},m)]}):f&&(!_(f)||d.world?.tick)?Y(`aside`,{class:`panel one`,"data-sheet":TT[s],children:[l,t&&Y(Ky,{second:t,isThere:u}),Y(qw,{viewer:d,see:f},m)]}):t?Y(`aside`,{class:`panel one`,"data-sheet":TT[s],children:[l,Y(Yy,{viewer:e,second:t})]}):Y(`aside`,{class:`panel`,"data-tab":n,"data-sheet":TT[s],children:[l,Y(`nav`,{class:`tabs`,"aria-label":`Panel`,children:[`people`,`lately`].map(e=>Y(`button`,{type:`button`,"aria-pressed":n===e,onClick:()=>r(e),children:e}))}),Y(_C,{bodies:e.world?.crowd.list??[],people:e.people,prices:e.prices,watched:e.attention.watched,watch:t=>e.choose(t),nameOf:t=>e.nameOf(t)}),Y(ox,{viewer:e,sorts:i,toggle:o})]})}var MT=16,NT=(e,t,{agent:n})=>Math.max(Math.abs(n.pos[0]-e),Math.abs(n.pos[2]-t));function PT(e){let t=(e?.organisations??[]).filter(({kind:e})=>e===`CITY`);t.sort((e,t)=>Object.keys(t.members).length-Object.keys(e.members).length);let n=t.flatMap(({id:t,members:n})=>{let r=e.lands.filter(({owner:e})=>e===t);return r.length?r:e.lands.filter(({owner:e})=>e in n)})[0];return n?{x:n.anchor[0],z:n.anchor[2],radius:n.radius}:null}function FT(e,t){let n=t.filter(({agent:e})=>e.connected),r=PT(e),i=r?n.filter(e=>NT(r.x,r.z,e)<=r.radius):n,a=e=>i.filter(t=>NT(e.agent.pos[0],e.agent.pos[2],t)<=MT).length;return{watched:(i.map(e=>({body:e,company:a(e)})).sort((e,t)=>t.company-e.company)[0]?.body??(r?[...n].sort((e,t)=>NT(r.x,r.z,e)-NT(r.x,r.z,t))[0]:void 0))?.id??null,plaza:r&&{x:r.x,z:r.z}}}var IT=(e,t)=>{let n=PT(e);return n===null||NT(n.x,n.z,t)<=n.radius},LT=class{watched=null;following=!1;isChosen=!1;opensAt=null;hasOpened=!1;follow(e){this.isChosen=!0,this.following=e!==null,this.watched=e}letGo(){let e=this.following;return this.isChosen=!0,this.following=!1,e}chooseFirst(e,t){let n=e.crowd.get(this.watched);if(this.watched!==null&&!n&&(this.following=!1),this.isChosen){n||this.follow(null);return}if(n?.agent.connected&&IT(t,n))return;let{watched:r,plaza:i}=FT(t,e.crowd.list);r!==this.watched&&(r!==null||!n)&&(this.follow(r),this.isChosen=!1),this.following=r!==null&&!i,i&&!this.hasOpened&&(this.opensAt=i),this.hasOpened||=i!==null}};M(),Hr();function RT(e,t,n,r=[]){let i=Fr(e);if(i!==void 0)return i;if(vh(e)){let i=r.find(t=>t.id===e);return i?bh(i,e=>RT(e,t,n)):Sr(e.split(`@`)[0])}if(n?.event?.id===e)return n.event.title;let a=t?.crowd.get(e)?.agent.name??n?.organisations.find(t=>t.id===e)?.name??n?.laws.find(t=>t.id===e)?.title;if(a!==void 0)return a;if(s(e))return`event`;if(c(e))return`why the story says it`;let o=n?.lands.find(t=>t.id===e);return o?`the land of ${RT(o.owner,t,n)}`:/^C0*\d+$/.test(e)?`contract ${Number(e.slice(1))}`:e}xi(),Hi(),ca(),Oi(),Ea();var zT=4,BT=2e3,VT=class{papers;tape;changed;world=null;chronicle=new bi;traces=new Di;hasAskedForHistory=!1;failures=0;constructor(e,t,n){this.papers=e,this.tape=t,this.changed=n}begin(e){let t=this.world?.bootstrap,n=t?.world_id===e.world_id&&t.world_params.seed===e.world_params.seed;t&&(!n||e.tick<t.tick)&&(this.chronicle=new bi),this.world=new Ta(e)}take(e,t){let n=performance.now(),r=e=>RT(e,t,this.papers.society);t.tick=e,t.heardAt=n,t.crowd.take(e.agents,n),this.papers.take(e.happenings??[]),this.askForHistory(e.tick,t),this.traces.take(e),this.chronicle.take(e,t.looks,r);for(let{kind:i,from:a,text:o}of e.happenings??[])i===`CHAT`&&a&&o&&t.crowd.get(a)?.say(oa(o,r),n)}askForHistory(e,t){if(this.hasAskedForHistory||!this.papers.society||!this.tape.state)return;this.hasAskedForHistory=!0;let{chronicle:n,traces:r}=this,i={looks:t.looks,nameOf:e=>RT(e,t,this.papers.society),strict:this.failures<zT};zi(this.tape,r.since||e,i).then(e=>{if(!e||n!==this.chronicle)return;n.goBack(e.chronicle),r.goBack(e.traces);let t=[...e.traces.squares.values()];r.takeSquares(t.map(({x:e,z:t,mined:n,placed:r})=>[e,t,n,r])),this.changed()},()=>{this.failures++,setTimeout(()=>{this.hasAskedForHistory=!1},BT*this.failures)})}};cn(),Cn();var HT=6,UT=1024,WT=64,GT=400,KT=class{subscribe;attention;lookingAt;focus=``;pace=new sn(GT);constructor(e,t,n){this.subscribe=e,this.attention=t,this.lookingAt=n}followCamera(e){if(!this.pace.isDue(`focus`,e))return;let t=this.lookingAt(),n=(this.attention.following?this.attention.watched:null)??(t?`${Math.floor(t.x)>>4},${Math.floor(t.z)>>4}`:``);n!==this.focus&&(this.focus=n,this.pace.note(`focus`,e),this.send())}send(){let e=this.lookingAt();this.subscribe({chunk_radius:HT,max_chunks:UT,focus_agent_id:this.attention.following&&this.attention.watched||``,focus_pos:e&&[Math.floor(e.x),0,Math.floor(e.z)],voxel_radius:3,voxel_max_chunks:WT})}};M(),Ha(),z(),Ow();var qT=14,JT=4,YT=500,XT=class{changed;current={state:`connecting`};lookingAt=()=>null;attention=new LT;time=new Ba(()=>this.timeChanged(),{bootstrap:()=>this.live?.bootstrap??null,society:()=>this.papers.society,nameOf:e=>this.nameOf(e)},e=>this.focusOf(e));addressAt=0;lateness=null;isOther=!1;papers=new Zr(()=>this.papersArrived());present=new VT(this.papers,this.time.tape,()=>this.changed());story=new xw(()=>this.changed());place=g(i().path);part=o(i().path);see=S(i().query);isMap=C(i().query);layers=Oh(i().query);deed=`all`;coarseAt=0;tellsCoarse=!1;sawLive=!1;wanted=null;wantedSpeed=null;subscription;constructor(e,t){this.changed=e,this.subscription=new KT(t,this.attention,()=>this.lookingAt()),addEventListener(`popstate`,()=>this.readAddress()),this.readAddress(),this.subscription.send()}papersArrived(){let{see:e,attention:t}=this,n=e&&!t.isChosen?this.papers.buildings.find(({id:t})=>t===e):void 0;n&&(t.letGo(),t.opensAt=xh(n)),this.changed()}get live(){return this.present.world}get awaitsPast(){return this.wanted!==null||this.time.isPast&&!this.time.past.world&&!this.sawLive}get isThen(){return this.time.past.world!==null||this.awaitsPast}get world(){return this.isThen?this.time.past.world:this.live}get society(){return this.isThen?this.time.past.society:this.papers.society}get buildings(){let{buildings:e}=this.papers;if(!this.isThen)return e.filter(({stands:e})=>e);let{past:t,tick:n}=this.time;return e.filter(({id:e,stands:r,completed_tick:i})=>i<=n&&(r||t.hasStructure(e)))}get prices(){return this.papers.society?.prices??{}}get people(){let{past:e,book:t}=this.time;return!this.isThen||!e.world?this.papers.people:e.world.crowd.list.map(({agent:{id:n,name:r}})=>{let i=this.society?.open_book?t.pocketOf(n):void 0,a=Object.values(e.standingOf(n)??{}),o=Object.entries(i??{}).sort((e,t)=>MS({[t[0]]:t[1]},this.prices)-MS({[e[0]]:e[1]},this.prices))[0];return{id:n,name:r,worth:i?MS(i,this.prices):null,standing:a.reduce((e,t)=>e+t,0)/Math.max(1,a.length),trades:0,sold:null,carries:o??null,kept:0,earned:0,broken:0,built:this.buildings.filter(({builder:e})=>e===n).length}})}get chronicle(){return this.isThen?this.time.past.chronicle:this.present.chronicle}get traces(){return this.isThen?this.time.past.traces:this.present.traces}timeChanged(){let{position:e,playing:t,speed:n,past:r}=this.time,o=performance.now();if(r.world&&(r.society||this.time.isOver)&&this.attention.chooseFirst(r.world,this.society),this.place!==`matches`&&(e===null||!t||o-this.addressAt>YT)){this.addressAt=o;let r=u(i().query,`at`,this.tickInAddress),s=e!==null&&t&&n!==1?String(n):null,c=l(this.place,this.see,u(r,`speed`,s),this.part);(/\?.*/.exec(c)?.[0]??``)!==i().query&&a(c,`replace`)}this.changed()}get tickInAddress(){return this.time.isPast?String(this.time.tick):null}readAddress(){this.place=g(i().path),this.part=o(i().path),this.see=S(i().query),this.isMap=C(i().query),this.wanted=T(i().query),this.wantedSpeed=Aa.find(e=>String(e)===new URLSearchParams(i().query).get(`speed`))??null,this.live&&this.goToWanted(),this.see&&_(this.see)&&this.attention.follow(this.see),this.see&&v(this.see)&&!w(i().query)&&this.openAtCell(this.see),this.changed()}openAtCell(e){let[t,,n]=y(e);this.attention.letGo(),this.attention.opensAt={x:t+.5,z:n+.5}}goToWanted(){let e=this.wanted;this.wanted=null,e===null?this.time.isPast&&this.time.goLive():(this.time.jump(e),this.time.tape.state||this.time.complain(`This server does not tell of the past; the page goes on asking`),this.wantedSpeed!==null&&this.time.setSpeed(this.wantedSpeed))}begin(e){this.present.begin(e),this.sawLive=!1,this.papers.refresh(performance.now()),this.time.begin(),this.time.liveTick=e.tick,this.time.refresh(performance.now()).then(()=>this.wanted!==null&&this.goToWanted())}beginAt(e){let t=T(i().query);this.time.isOver=!0,this.time.firstTick=e,this.time.refresh(performance.now()).then(()=>{this.time.jump(t??e),t===null&&this.time.setSpeed(JT)})}hear(e){let{live:t}=this;t&&(e.type===`TICK`?(this.time.liveTick=e.tick,this.present.take(e,t),this.sawLive||=this.world===t,this.sawLive&&!this.time.isPast&&this.papers.answered&&this.attention.chooseFirst(t,this.society),this.changed()):t.terrain.take(e))}link(e){this.current=e,this.changed()}open(e){if(this.choose(e),!v(e))return;let[t,,n]=y(e);this.goTo(t,n)}choose(e){e!==this.see&&(this.see=e,a(l(this.place,e,i().query,this.part),`push`)),(e===null||_(e))&&this.attention.follow(e),e&&vh(e)&&this.goToBuilding(e),this.changed()}goToBuilding(e){let t=this.papers.buildings.find(t=>t.id===e),n=this.lookingAt();if(!t)return;let{x:r,z:i}=xh(t);(!n||Math.hypot(n.x-r,n.z-i)>qT)&&this.goTo(r,i)}go(e,t=``){if(e===this.place&&t===this.part)return;this.time.isOver,this.see=e===this.place||e===`world`||e===`society`&&this.see&&!_(this.see)?this.see:null,this.place=e,this.part=t;let n=e===`matches`?null:this.tickInAddress,r=u(e===`world`?i().query:``,`at`,n);a(l(e,this.see,r,t),`push`),this.changed()}showMap(e){e!==this.isMap&&(this.isMap=e,a(l(this.place,this.see,u(i().query,`view`,e?`map`:null)),`replace`),this.changed())}toggleLayer(e){this.layers.delete(e)||this.layers.add(e),a(l(this.place,this.see,u(i().query,`layers`,[...this.layers].join(`,`))),`replace`),this.changed()}countDeeds(e){this.deed=e,this.changed()}nameOf(e){return RT(e,this.world,this.society,this.papers.buildings)}cameraSaid=()=>``;linkHere(){let e=this.place===`world`?this.cameraSaid():``;return new URL(l(this.place,this.see,u(i().query,`cam`,e||null),this.part),location.href).href}stayHere(){this.attention.watched||(this.attention.isChosen=!0),a(l(this.place,this.see,u(i().query,`cam`,null),this.part),`replace`)}visit(e){a(e,`push`),this.readAddress()}watch(e){this.choose(e)}along(e){this.attention.follow(e),this.changed()}goTo=()=>{};watchNext(e){let t=this.world?.crowd.list??[];if(!t.length)return;let n=t.findIndex(e=>e.id===this.attention.watched),r=n<0?e>0?0:t.length-1:(n+e+t.length)%t.length;this.watch(t[r].id)}letGo(){this.attention.letGo()&&this.changed()}lookAround(e){!this.time.isPast&&!this.isMap&&this.subscription.followCamera(e)}focusOf(e){let{following:t,watched:n}=this.attention,r=t&&n?e(n):void 0;return r?{x:r[0],z:r[2]}:this.lookingAt()??{x:0,z:0}}};$t(),M(),z(),ce(),Qb(),X();var ZT=200,QT=800,$T=1e3,eE=1e3;te();var tE=document.getElementById(`page`),nE=null,rE=null,iE=null,aE=null,oE=null,sE=null,cE=!0,lE=0,uE=new Zv({begin:e=>Q.begin(e),hear:e=>Q.hear(e),link:e=>Q.link(e),beginAt:e=>Q.beginAt(e)}),Q=new XT(()=>{cE=!0},e=>uE.subscribe(e)),dE=new iy(Q,()=>{cE=!0}),$={tour:dE,folded:!1,lane:new Xb(Q,()=>{cE=!0}),help:!1,join:!1,send:!1,whatIf:!1,layers:innerWidth>QT,retry:()=>uE.retry(),zoom:e=>nE?.camera.zoom(e,Q.isMap),toggleMap:()=>Q.showMap(!Q.isMap),toggleLayers:()=>{$.layers=!$.layers,bE()},counts:()=>nE?.map.counts(),hottest:()=>nE?.map.hottest??0,drawSmallInto:e=>{sE=e,nE?.drawSmallInto(e)},toggleHelp:()=>{$.help=!$.help,CE(),bE()},toggleJoin:()=>{$.join=!$.join,bE()},toggleSend:()=>{$.send=!$.send,bE()},toggleWhatIf:()=>{$.whatIf=!$.whatIf,bE()},kept:null,toggleCompare:()=>void pE(),second:null,compareMoments:()=>{hE(),_E()},attachSecond(e,t){$.second&&(rE=new Bv(e,t,$.second)),rE&&(rE.steady=!0)},closeTop:()=>{if($.help||$.join||$.send||$.whatIf)$.help=$.join=$.send=$.whatIf=!1;else if($.kept)vE();else if($.second?.chosen)$.second.choose(null);else if($.second)hE();else if($.layers&&Q.isMap&&Q.place===`world`)$.layers=!1;else return!1;return bE(),!0},attach(e,t){let n=new Bv(e,t,Q);nE=n,n.drawSmallInto(sE),Q.lookingAt=()=>n.camera.target,Q.cameraSaid=()=>n.camera.said,n.camera.heed(w(i().query))&&Q.stayHere(),Q.goTo=(e,t)=>{Q.letGo(),n.camera.lookAt(e,n.camera.wished.y,t)},oE=new to(e,n.camera,Q,{choose:(t,n)=>fE(t,n,e.clientWidth),cellAt:(e,t)=>n.map.cellAt(e,t),toggleHelp:$.toggleHelp,toggleLayers:$.toggleLayers,toggleTour:()=>dE.toggle(),toggleCompare:$.toggleCompare,toggleGoingOn:()=>{$.folded=!$.folded,bE()},closeTop:$.closeTop})}};function fE(e,t,n){let{second:r}=$;if(r&&rE&&!Q.isMap&&r.covers(e/n)){let n=rE.pick(e,t);n!==null&&r.choose(n);return}let i=nE?.pick(e,t)??null;i!==null&&(r?.choose(null),Q.choose(i))}async function pE(){return $.kept?vE():$.second?hE():iE!==null&&!Q.isMap?mE(iE):_E()}function mE(e){let{time:t}=Q;$.second=new Ya(e,Q,()=>{cE=!0}),Q.time.otherSide=()=>$.second?.keepsUp??!0,!t.isPast&&!t.isOver&&(t.playing=!1,t.jump(t.tick)),gE(e),cE=!0}function hE(){$.second?.end(),$.second=null,rE?.dispose(),rE=null,Q.time.otherSide=()=>!0,gE(null),cE=!0}function gE(e){a(l(Q.place,Q.see,u(i().query,`beside`,e),Q.part),`replace`)}async function _E(){let{time:e}=Q;if(!nE||Q.isMap||!e.tape.state||e.loading||!Q.world?.tick)return;Q.letGo(),nE.steady=!0;let[t,n]=[e.tick,!e.isPast];$.kept={picture:await nE.picture(),tick:t,wasLive:n,camera:nE.camera.said},e.playing=!1,e.jump(t-Math.round(e.dayTicks/24))}function vE(){let{kept:e}=$;e&&(yE(),e.wasLive?Q.time.goLive():Q.time.jump(e.tick))}function yE(){$.kept=null,nE&&(nE.steady=!1),cE=!0}function bE(){cE=!1,lE=performance.now(),Ft(Y(OT,{viewer:Q,hands:$,now:lE}),tE)}var xE=performance.now();function SE(e){let t=e-xE;xE=e,oE?.update(t),Q.time.frame(performance.now()),nE?.frame(performance.now()),$.second&&nE&&!Q.isMap&&Q.place===`world`&&($.second.frame(performance.now()),rE?.camera.mirror(nE.camera),rE?.frame(performance.now())),Q.lookAround(performance.now()),$.kept&&(Q.isMap||Q.place!==`world`||nE?.camera.said!==$.kept.camera)&&yE(),performance.now()-lE>(cE?ZT:$T)&&bE(),requestAnimationFrame(SE)}async function CE(){$.help&&Q.current.state===`live`&&!document.hidden&&(Q.lateness=await nn())}async function wE(){aE!==null&&nE&&Q.time.tape.state&&Q.world?.tick&&(mE(aE),aE=null),j()}function TE(){dE.step(performance.now()),!(Q.current.state!==`live`||document.hidden)&&(Q.papers.refresh(performance.now()),Q.time.refresh(performance.now()),wE())}bE(),requestAnimationFrame(SE),setInterval(CE,en),setInterval(TE,eE),uE.runFilm()})();