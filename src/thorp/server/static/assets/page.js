import{A as e,B as t,C as n,D as r,E as i,F as a,G as o,H as s,I as c,J as l,K as u,L as d,M as f,N as p,O as m,Q as h,R as g,S as _,T as v,U as y,V as b,W as x,X as S,Y as C,Z as w,_ as T,a as E,at as D,b as O,c as k,ct as A,d as j,et as ee,f as M,ft as te,g as ne,gt as re,h as ie,ht as ae,i as oe,it as se,k as ce,l as le,lt as N,m as ue,mt as P,n as F,nt as de,o as fe,ot as pe,p as me,pt as he,q as ge,r as _e,s as ve,st as ye,t as I,u as be,ut as xe,v as L,w as Se,x as Ce,y as we,z as R}from"./jsxRuntime.js";var Te=5e3;function z(e){let t=t=>{let n=RegExp(`^${t}(?:\\{[^}]*\\})? (\\d+)`,`m`).exec(e);return n?Number(n[1]):null},n=t(`thorp_late_ticks_total`),r=t(`thorp_skipped_ticks_total`);return n===null||r===null?null:{late:n,skipped:r}}async function B(){try{let e=await a(`metrics`,{signal:AbortSignal.timeout(Te)});return e.ok?z(await e.text()):null}catch{return null}}async function Ee(e){try{let t=await a(e),n=await t.json();return t.ok?n:{why:typeof n.details==`string`?n.details:De(n)}}catch{return{why:`the server cannot be reached`}}}var De=e=>e.details?.violations?.[0]?.message??String(e.error),Oe=class{intervalMs;lastRequests=new Map;constructor(e){this.intervalMs=e}isDue(e,t=performance.now()){return t-(this.lastRequests.get(e)??-1/0)>=this.intervalMs}note(e,t=performance.now()){this.lastRequests.set(e,t)}admits(e,t=performance.now()){return this.isDue(e,t)?(this.note(e,t),!0):!1}reset(){this.lastRequests.clear()}},ke=3;function Ae(e){let t;try{t=atob(e)}catch{return null}let n=new Uint8Array(t.length);for(let e=0;e<t.length;e++)n[e]=t.charCodeAt(e);return n}function je(e){let t=Ae(e);if(t?.length!==256*ke)return null;let n={block:new Uint16Array(256),top:new Uint8Array(256)};for(let e=0,r=0;e<256;e++,r+=ke)n.block[e]=t[r]|t[r+1]<<8,n.top[e]=t[r+2];return n}function Me(e,t){let n=Ae(e);if(n?.length!==256*t*2)return null;let r=new Uint16Array(256*t);for(let e=0;e<r.length;e++)r[e]=n[2*e]|n[2*e+1]<<8;return r}var Ne=class{changes;at=-1;done=0;kept=new Map;constructor(e){this.changes=e}upTo(e){let t=0;for(;t<this.changes.length&&this.changes[t][0]<=e;)t++;return t}of(e){for(e<this.at&&([this.done,this.kept]=[0,new Map]),this.at=e;this.done<this.changes.length&&this.changes[this.done][0]<=e;this.done++)for(let[e,t]of Object.entries(this.changes[this.done][1])){let n=this.kept.get(e)??new Map;this.kept.set(e,n);for(let[e,r]of Object.entries(t))r===null?n.delete(e):n.set(e,r)}return this.kept}all(e,t){return[...this.of(e).get(t)?.values()??[]]}one(e,t,n){return this.of(e).get(t)?.get(n)}},Pe=40;function Fe(e,t){let n=e.sort((e,t)=>e.id<t.id?1:-1);return[...n.filter(e=>!t(e)),...n.filter(t).slice(0,Pe)]}function Ie(e,t,n,r){let i=n=>e.all(t,n),a={};for(let{blueprint_id:e}of i(`structures`))a[e]=(a[e]??0)+1;return{tick:n,day_ticks:r.day_ticks,season:0,open_book:r.open_book,lands:i(`lands`),organisations:i(`organisations`),laws:Fe(i(`laws`),({status:e})=>e===`REJECTED`),contracts:Fe(i(`contracts`),({state:e})=>e===`COMPLETED`||e===`FAILED`),boards:Object.fromEntries(e.of(t).get(`boards`)??[]),buildings:a,event:i(`event`)[0]??null,cut:e.one(t,`cut`,``)===!0}}function Le(e,t,[n,r,i]){let a=[n,r,i],o=e.all(t,`structures`).find(({low:e,high:t})=>a.every((n,r)=>e[r]<=n&&n<=t[r]));return{building:o?.blueprint_id??``,builder:o?.builder??``,sign:e.one(t,`signs`,a.join(`,`))??``}}var Re=4,ze=1e4,Be=[`x`,`y`,`z`,`yaw`,`hp`,`hunger`,`stamina`,`attached`],Ve=[`move`,`work`,`org`,`intent`,`title`,`gone`];function He(e,t){let n=0,r=e.length;for(;n<r;){let i=n+r>>1;e[i]<=t?n=i+1:r=i}return n-1}function Ue(e,t){let[n,r]=e;for(let e=1;e<n.length;e++)n[e]+=n[e-1],t&&(r[e]=r[e]+r[e-1])}function We(e,t){return e?.[1][He(e[0],t)]}function Ge(e,t){if(!e)return;let n=He(e[0],t),r=e[1][n];if(!r)return;let i=t-e[0][n],a=r.eta_ticks??0,o=a>0?Math.min(1,i/a):0;return{...r,progress:r.progress+(1-r.progress)*o,eta_ticks:Math.max(0,a-i)}}var Ke=class extends Error{},qe=`this part of the tape came damaged or cut short; it is asked for again`,Je=`the server did not answer; it is asked again`,Ye=class{document;n;records;constructor(e){if(this.document=e,e.tape!==Re)throw new Ke(`this page plays tape ${Re}, and this is tape ${e.tape}; load the page again`);let{agents:t,weather:n,events:r,blocks:i}=e;if(![t,n,r,i].every(Array.isArray))throw new Ke(qe);this.n=e.n,this.records=new Ne(e.society);for(let e of t){for(let t of Be)Ue(e[t],!0);for(let t of Ve)e[t]&&Ue(e[t],!1)}}get complete(){return this.document.last===(this.n+1)*250-1&&this.document.first<=Math.max(1,this.n*250)}has(e){return this.document.first<=e&&e<=this.document.last}tickAt(e,t=e-1){let{day_ticks:n,agents:r,weather:i}=this.document,a=e-this.n*250,o=[...this.eventful(t,e)];return{type:`TICK`,tick:e,time_of_day:e%n/n,weather:i.filter(([e])=>e<=a).at(-1)?.[1]??`CLEAR`,agents:r.flatMap(e=>Xe(e,a)??[]),happenings:o.flatMap(({happenings:e})=>e),audits:o.flatMap(({audits:e})=>e)}}*walks(e,t,n){let r=this.n*250,[i,a]=[Math.max(e+1,this.document.first)-r,Math.min(t,this.document.last)-r];for(let{id:e,x:t,z:o,gone:s}of this.document.agents)for(let c=i;c<=a;c+=n){let n=We(t,c);n!==void 0&&!We(s,c)&&(yield{id:e,x:n,z:We(o,c),tick:r+c})}}eventful(e,t){let n=this.n*250,r=new Map,i=e=>(r.has(e)||r.set(e,{tick:e,happenings:[],audits:[]}),r.get(e)),a=r=>r>e-n&&r<=t-n;for(let[e,t]of this.document.events)a(e)&&i(n+e).happenings.push(...t);for(let[e,t,r,o,s,c,l,u]of this.document.blocks)a(e)&&i(n+e).audits.push({actor:l,pos:[t,r,o],from:s,to:c,reason:u});return[...r.values()].sort((e,t)=>e.tick-t.tick)}};function Xe(e,t){if(He(e.x[0],t)<0||We(e.gone,t))return;let n=n=>We(e[n],t)??0,r=[n(`x`),n(`y`),n(`z`)],i={org_id:We(e.org,t)||void 0,move_task:Ge(e.move,t),work_task:Ge(e.work,t),title:We(e.title,t),intent:We(e.intent,t)},a=Object.fromEntries(Object.entries(i).filter(([,e])=>e!==void 0));return{id:e.id,name:e.name,connected:n(`attached`)>0,pos:r,yaw:n(`yaw`),hp:n(`hp`),hunger:n(`hunger`),stamina_milli:n(`stamina`),...a}}var Ze=class{tick;chunks=new Map;constructor(e){this.tick=e}follow(e,t){let n=new Set,r=e>this.tick,[i,a]=r?[this.tick,e]:[e,this.tick];for(let e of r?t:[...t].reverse()){let{blocks:t}=e.document;for(let o=0;o<t.length;o++){let[s,c,l,u,d,f]=t[r?o:t.length-1-o],p=e.n*250+s;if(p<=i||p>a)continue;let m=`${c>>4},${u>>4}`,h=this.chunks.get(m);h&&(h[l<<8|(u&15)<<4|c&15]=r?f:d,n.add(m))}}return this.tick=e,n}},Qe=16392;function $e(e){let t=new Map,n=new DataView(e.buffer,e.byteOffset,e.byteLength);for(let r=0;r+Qe<=e.length;r+=Qe)t.set(`${n.getInt32(r,!0)},${n.getInt32(r+4,!0)}`,e.slice(r+8,r+Qe));return t}function et(e){let t={block:new Uint16Array(256),top:new Uint8Array(256)};for(let n=0;n<256;n++){let r=e.length/256-1;for(;r>0&&!e[r*256+n];)r--;t.block[n]=e[r*256+n],t.top[n]=r}return t}var tt=`admin/v1/observer/`;async function nt(e,t){let n=await a(`${t}${e}`,{signal:AbortSignal.timeout(ze)}).catch(()=>null);if(!n)throw new Ke(Je);if(n.ok)return n;let{details:r}=await n.json().catch(()=>({details:null}));throw new Ke(typeof r==`string`?r:r?.violations?.[0]?.message??`the server gave no reason (${n.status})`)}async function rt(e,t,n){let r=await nt(e,t);try{return await n(r.headers.get(`Content-Type`)===`application/octet-stream`?r:new Response(r.body.pipeThrough(new DecompressionStream(`gzip`))))}catch(e){throw e instanceof Ke?e:new Ke(qe)}}var it=async(e=tt)=>(await nt(`tape`,e)).json(),at=async(e,t,n,r=tt)=>(await nt(`marks?from=${e}&to=${t}&bins=${n}`,r)).json(),ot=(e,t,n=tt)=>rt(`tape/${e}?of=${t}&v=${Re}`,n,async e=>new Ye(await e.json())),st=(e,t,n=tt)=>rt(`tape/${e}/private?of=${t}&v=${Re}`,n,async e=>new Ne((await e.json()).private)),ct=async(e,t,n=tt)=>(await nt(`activity?from=${e}&to=${t}`,n)).json(),lt=({tick:e,cx:t,cz:n,r},i=tt)=>rt(`ground?tick=${e}&cx=${t}&cz=${n}&r=${r}`,i,async e=>$e(new Uint8Array(await e.arrayBuffer()))),ut=32768,dt=(e,t)=>(e+ut)*2*ut+(t+ut),ft=6,pt=15,mt=[{x:0,z:0},{x:pt,z:0},{x:0,z:pt},{x:pt,z:pt}];function ht(e,t){return e===0?[t-1,t]:e===pt?[t,t+1]:[t]}var gt=24,_t=.4,vt=.05,yt=class{cx;cz;surface;voxels=null;version=0;floor=null;shining=null;constructor(e,t,n){this.cx=e,this.cz=t,this.surface=n}ground(e){return this.floor??=xt(this.surface,e.leaves),this.floor}lamps(e){return this.shining??=bt(this,e),this.shining}changed(){this.floor=this.shining=null,this.version++}};function bt({cx:e,cz:t,voxels:n,surface:r},{glow:i}){let a=[],o=(n,r)=>a.push({x:e*16+(n&15)+.5,y:r+.6,z:t*16+(n>>4)+.5});if(n)for(let e=0;e<n.length;e++)n[e]&&i[n[e]]&&o(e%256,Math.floor(e/256));else for(let e=0;e<256;e++)i[r.block[e]]&&o(e,r.top[e]);return a}function xt({block:e,top:t},n){let r=t.slice(),i=new Uint8Array(256),a=[];for(let o=0;o<256;o++)e[o]===n?r[o]=Math.max(0,t[o]-ft):(i[o]=1,a.push(o));for(;a.length;){let e=[];for(let n of a)for(let a of St(n))i[a]||(i[a]=1,r[a]=Math.min(r[n],t[a]),e.push(a));a=e}return r}function*St(e){let t=e%16;t>0&&(yield e-1),t<15&&(yield e+1),e>=16&&(yield e-16),e<240&&(yield e+16)}var Ct=class{height;looks;chunks=new Map;stale=new Map;constructor(e,t){this.height=e,this.looks=t}at(e,t){return this.chunks.get(dt(e,t))}groundAt(e,t){let n=Math.floor(e),r=Math.floor(t);return this.at(n>>4,r>>4)?.ground(this.looks)[(r&15)*16+(n&15)]}blockAt(e,t,n){return t<0||t>=this.height?0:this.at(e>>4,n>>4)?.voxels?.[t*256+(n&15)*16+(e&15)]}wholeAround(e,t,n){let r=Math.floor(e)>>4,i=Math.floor(t)>>4,a=0;for(let e=-n;e<=n;e++)for(let t=-n;t<=n;t++)this.at(r+e,i+t)?.voxels&&a++;return a}hit(e,t,n){for(let r=0;r<n;r+=vt){let[n,i,a]=[e.x+t.x*r,e.y+t.y*r,e.z+t.z*r].map(Math.floor),o=this.blockAt(n,i,a);if(o)return{x:n,y:i,z:a,block:o}}return null}sees(e,t){let n=Math.hypot(t.x-e.x,t.y-e.y,t.z-e.z),r=Math.ceil(Math.min(n,gt)/_t);for(let i=1;i<r;i++){let r=i*_t/n,[a,o,s]=[t.x+(e.x-t.x)*r,t.y+(e.y-t.y)*r,t.z+(e.z-t.z)*r].map(Math.floor),c=this.blockAt(a,o,s),l=c===void 0?this.groundAt(a,s):void 0;if(c===void 0?l!==void 0&&o<=l:this.looks.opaque[c])return!1}return!0}take(e){let{cx:t,cz:n}=e,r=this.at(t,n),i=r?.lamps(this.looks).length??0;switch(e.type){case`CHUNK_SURFACE`:{let i=je(e.data);if(!i)return;r?r.surface=i:this.chunks.set(dt(t,n),new yt(t,n,i));break}case`CHUNK_VOXELS`:{let i=Me(e.data,this.height);if(!i)return;(r??this.bare(t,n)).voxels=i;break}case`CHUNK_PATCH`:if(!r)return;for(let{x:t,z:n,block:i,y:a}of e.cells)r.surface.block[n*16+t]=i,r.surface.top[n*16+t]=a;break;case`CHUNK_VOXEL_PATCH`:if(!r?.voxels)return;for(let{x:t,y:n,z:i,block:a}of e.cells)r.voxels[n*256+i*16+t]=a;break;case`CHUNK_EVICT`:this.chunks.delete(dt(t,n));break;case`CHUNK_VOXELS_EVICT`:r&&(r.voxels=null)}let a=this.at(t,n);a?.changed();let o=(a?.lamps(this.looks).length??0)!==i;this.spoil(t,n,`cells`in e&&!o?e.cells:mt)}put(e,t,n,r){let i=this.at(e,t)??this.bare(e,t);i.surface=n,i.voxels=r,i.changed(),this.spoil(e,t,mt)}bare(e,t){let n=new yt(e,t,{block:new Uint16Array(256),top:new Uint8Array(256)});return this.chunks.set(dt(e,t),n),n}spoil(e,t,n){this.stale.set(dt(e,t),[e,t]);for(let{x:r,z:i}of n)for(let n of ht(r,e))for(let e of ht(i,t)){let t=dt(n,e);this.chunks.has(t)&&this.stale.set(t,[n,e])}}},wt=6,Tt=3,Et=1e3,Dt=class{tape;focus;listener;cells=null;terrain=null;centre=[0,0];near=[0,0];isLoading=!1;pace=new Oe(Et);constructor(e,t,n){this.tape=e,this.focus=t,this.listener=n}get isLoaded(){return this.cells!==null}showIn(e){this.terrain=e,this.cells&&this.fill(this.cells.chunks.keys())}clear(){this.cells=null,this.terrain=null}retry(){this.pace.reset()}move(e,t){let{x:n,z:r}=this.focus(n=>e.tickAt(t).agents.find(e=>e.id===n)?.pos),i=[Math.floor(n)>>4,Math.floor(r)>>4],a=this.cells&&this.tape.between(this.cells.tick,t);this.cells&&a&&this.fill(this.cells.follow(t,a)),(!this.cells||!a||Ot(i,this.centre)>=Tt)&&this.fetch(t,i),this.cells&&this.terrain&&Ot(i,this.near)>0&&this.showEveryBlockAround(i)}blockAt([e,t,n]){return this.cells?.chunks.get(`${e>>4},${n>>4}`)?.[t<<8|(n&15)<<4|e&15]}showEveryBlockAround(e){let t=this.near;this.near=e;let n=n=>kt(At(n),t)!==kt(At(n),e);this.fill([...this.cells.chunks.keys()].filter(n))}async fetch(e,t){if(this.isLoading||!this.pace.isDue(`ground`))return;this.isLoading=!0;let n=await lt({tick:e,cx:t[0],cz:t[1],r:wt},this.tape.of).catch(e=>e);this.isLoading=!1,n instanceof Error?(this.centre=t,this.pace.note(`ground`),this.listener.groundFailed(this.cells?null:n.message)):this.listener.isPast&&(this.replace(e,t,n),this.listener.groundArrived())}replace(e,t,n){let r=[...this.cells?.chunks.keys()??[]].filter(e=>!n.has(e));this.cells=new Ze(e);for(let[e,t]of n)this.cells.chunks.set(e,t);this.centre=t,this.near=t;for(let e of r){let[t,n]=At(e);this.terrain?.take({type:`CHUNK_EVICT`,cx:t,cz:n})}this.fill(n.keys())}fill(e){if(this.terrain)for(let t of e){let e=this.cells?.chunks.get(t);if(!e)continue;let[n,r]=At(t),i=kt([n,r],this.near)?Uint16Array.from(e):null;this.terrain.put(n,r,et(e),i)}}},Ot=(e,t)=>Math.max(Math.abs(e[0]-t[0]),Math.abs(e[1]-t[1])),kt=(e,t)=>Ot(e,t)<=3;function At(e){let[t,n]=e.split(`,`).map(Number);return[t,n]}var jt=e=>[(e>>16)/255,(e>>8&255)/255,(e&255)/255],Mt={sun:jt(3950694),above:jt(6975624),below:jt(3751246),haze:jt(2239298)},Nt={sun:jt(8221532),above:jt(11712962),below:jt(6775644),haze:jt(12572900)},Pt={sun:jt(11561530),above:jt(10915724),haze:jt(14656898)},Ft={STORM:{haze:jt(7832203),share:.65,sun:.25},COLD:{haze:jt(14279916),share:.5,sun:.6}},It=(e,t,n)=>e.map((e,r)=>e+(t[r]-e)*n);function Lt(e,t,n){let r=Math.min(1,Math.max(0,(n-e)/(t-e)));return r*r*(3-2*r)}function Rt(e,t){let n=(e-.25)*2*Math.PI,r=Math.sin(n),i=Lt(-.15,.25,r),a=1-Lt(0,.4,Math.abs(r)),o=Ft[t],s=It(It(Mt.haze,Nt.haze,i),Pt.haze,a*.55),c=It(It(Mt.sun,Nt.sun,i),Pt.sun,a*.5);o&&(s=It(s,It(Mt.haze,o.haze,.2+.8*i),o.share),c=It([0,0,0],c,o.sun));let l=Math.max(.25,Math.abs(r)),u=Math.cos(n)*Math.sign(r||1),d=Math.hypot(u,l,.45);return{sun:[u/d,l/d,.45/d],sunColour:c,above:It(It(Mt.above,Nt.above,i),Pt.above,a*.5),below:It(Mt.below,Nt.below,i),haze:s,night:1-i*(o?.75:1)}}var zt=e=>e<.25||e>.75;function Bt(e){let t=Math.floor(e*24*60)%1440,n=e=>String(e).padStart(2,`0`);return`${n(Math.floor(t/60))}:${n(t%60)}`}var Vt=e=>e.replaceAll(`_`,` `),Ht=8e3,Ut=3e3,Wt=6e4,Gt=new Set([`LAW`,`VOTE`,`CONTRACT`,`BACKED`,`POST`,`POST_REMOVED`,`CREATE_ORG`,`JOIN_ORG`,`LEAVE_ORG`,`ORG_ENDED`,`ORG_DEPOSIT`,`ORG_WITHDRAW`,`CLAIM_LAND`,`UPGRADE_CLAIM`,`DEED_LAND`,`LAND_ENDED`,`PAID_UPKEEP`,`MISSED_UPKEEP`,`WORLD_EVENT`,`TOWN_RESULT`,`TRADE`,`BUILT`,`SEASON_ROLLOVER`]),Kt=/^(v1\/matches|admin\/v1\/observer\/society$)/;async function qt(e){if(ee()!==null&&!Kt.test(e))return null;try{let t=await a(e,{signal:AbortSignal.timeout(Ht)});return t.ok?await t.json():null}catch{return null}}var Jt=class{arrived;society=null;buildings=[];elections=[];people=[];answered=!1;towns=new Map;changed=!0;asking=!1;askedAt=-6e4;constructor(e){this.arrived=e}take(e){this.changed||=e.some(e=>Gt.has(e.kind))}async askForPeople(){this.people=await qt(`admin/v1/observer/people`)??this.people}town(e){return this.towns.get(e)}async refresh(e){let t=e-this.askedAt;if(this.asking||!(this.changed?t>Ut:t>Wt))return;this.asking=!0,this.changed=!1,this.askedAt=e;let n=await qt(`admin/v1/observer/society`);if(this.answered=!0,n){this.society=n,this.buildings=await qt(`admin/v1/observer/buildings`)??this.buildings,this.elections=await qt(`admin/v1/observer/elections`)??this.elections,await this.askForPeople();let e=n.organisations.filter(({kind:e})=>e===`CITY`);for(let{id:t}of e){let e=await qt(`v1/towns/${t}/snapshot`);e&&this.towns.set(t,e)}this.arrived()}this.asking=!1}},Yt=e=>e.toLowerCase().replaceAll(`_`,` `),Xt=e=>`a ${j(e)}`,Zt=/^(BREAD|CLAY|COAL|DIRT|GLASS|GRASS|GRAVEL|ICE|LEAVES|SAND|STONE|WATER|WHEAT|WIRE|.*_(ORE|MEAT|DUST|GRASS))$/,Qt=e=>/(s|ore|meat)$/.test(e)?e:`${e.replace(/y$/,`ie`).replace(/ch$/,`che`)}s`,$t=e=>Zt.test(e)?Yt(e):Qt(Yt(e)),en=(e,t)=>`${t} ${t===1?Yt(e).replace(/ies$/,`y`):$t(e)}`,tn=e=>Object.entries(e).map(([e,t])=>en(e,t)).join(`, `),V=(e,t)=>`day ${Math.floor(e/t)+1}, ${Bt(e%t/t)}`,nn=e=>Number(e??0)/1e6;function rn({template_id:e,params:t}){let{start_time:n,end_time:r,fine_item:i,fine_per_block:a,ticket_item:o,ticket_cost:s,market_tax:c}=t;return ie(T(e),{share:()=>String(Math.round(nn(c)*100)),start:()=>Bt(nn(n)),end:()=>Bt(nn(r)),fine:()=>en(String(i),Number(a)),ticket:()=>en(String(o),Number(s))})}var an=(e,t,n)=>e?.lands.filter(({anchor:e,radius:r})=>Math.abs(t-e[0])<=r&&Math.abs(n-e[2])<=r).sort((e,t)=>e.radius-t.radius)[0],on=e=>e.kind===`BUILD`?`${Xt(e.blueprint_id)} at ${e.anchor?.[0]}, ${e.anchor?.[2]}`:tn(e.asked),sn=[`talk`,`people`,`society`,`work`],cn=150,ln=100;function un({kind:e,from:t,agent:n,text:r,data:i},a){let o=e===`CHAT`&&i&&typeof i==`object`&&`quarrel`in i?i.quarrel:void 0;if(!o||typeof o!=`object`||!(`by`in o)||!(`against`in o))return;let{by:s,against:c}=o,l=t??n??``;if(typeof s==`string`&&typeof c==`string`&&S(s)&&S(c))return{tick:a,speaker:l,by:s,against:c,isSettled:`step`in o&&o.step===`peace`,said:r??``}}function dn({kind:e,channel:t,status:n,state:r,on:i,retired:a}){return e===`LEAVE`?a?`retired`:``:e===`WORLD_EVENT`?i?`on`:``:e===`TOWN_RESULT`?n===`executed`?``:`refused`:t??n??r??``}function fn({kind:e,text:t,title:n,command:r}){return e===`CHAT`?t??``:e===`POST`||e===`LAW`?n??``:e===`TOWN_RESULT`&&me(r??``)===void 0?r??``:void 0}var pn=(e,t)=>({"a blueprint":()=>Xt(e.blueprint_id??``),achieved:()=>ve(e.achievement??``),event:()=>ue(e.event_id??``),goods:()=>en(e.item??``,e.count??0),member:()=>t(e.member_id??``),name:()=>e.name??``,"new owner":()=>t(e.new_owner??``),offer:()=>hn(e.offer),office:()=>(e.actor??`council`).replace(/-\d+$/,``),order:()=>me(e.command??``)??`do something`,org:()=>t(e.org_id??``),owner:()=>t(e.owner??``),poster:()=>t(e.poster??``),request:()=>hn(e.request),role:()=>n(e.role??``),season:()=>String(e.season??``),seller:()=>t(e.with??``),town:()=>t(e.town_id??``)});function mn(t,n){let{sort:r,did:i,who:a}=e(t.kind,dn(t)),o=pn(t,n),s=fn(t);return{sort:r,did:t.kind===`TRADE`&&!t.offer?`traded with ${o.seller()}`:ie(i,o),...a!==void 0&&{who:ie(a,o)},...(t.kind===`JOIN`||t.kind===`LEAVE`)&&{who:t.name??``,see:t.agent??``},...s!==void 0&&{quote:s}}}var hn=(e=[])=>tn(Object.fromEntries(e))||`nothing`,gn={MINE:(e,t)=>r(t.name(e.from)),PLACE:(e,t)=>_(t.name(e.to)),BUILD_BLUEPRINT:()=>`worked on a building`},_n=(e,t)=>e.reason===`BUILD_BLUEPRINT`?`built with ${t.word(e.to)}`:gn[e.reason??``]?.(e,t)??(e.to?`put ${t.word(e.to)}`:`took away ${t.word(e.from)}`);function vn(e){let t=[];for(let n of e){let e=t.at(-1),r=e?.tick===n.tick&&e.sort===n.sort&&e.did===n.did;e&&r&&n.quote===void 0&&e.quote===void 0?e.others++:t.push({...n,others:0})}return t}var yn=class{kept={talk:[],people:[],society:[],work:[]};next=1;quarrel;lines(e,t){return e.flatMap(e=>this.kept[e]).sort((e,t)=>t.tick-e.tick||t.key-e.key).slice(0,t)}of(e,t){return this.lines(sn,600).filter(({see:t})=>t===e).slice(0,t)}saidBy(e){return this.kept.talk.find(({see:t})=>t===e)}takeEach(e,t,n,r,i){for(let a of e.eventful(t,n))this.take(a,r,i)}take(e,t,n){for(let[t,r]of(e.happenings??[]).entries()){let{who:i,...a}=mn(r,n);this.quarrel=un(r,e.tick)??this.quarrel;let o=r.agent??r.actor??r.from??``;this.add({tick:e.tick,which:`${t+1}`,who:i??n(o),count:1,...o&&!i&&{see:o},...a})}for(let[r,i]of(e.audits??[]).entries()){let a=gn[i.reason??``]?.(i,t);a!==void 0&&this.addWork({tick:e.tick,which:`b${r+1}`,sort:`work`,who:n(i.actor),see:i.actor,did:a,count:1})}}goBack(e){for(let t of sn){let n=this.kept[t],r=n.at(-1)?.tick??1/0,i=e.kept[t].filter(({tick:e})=>e<r).map(e=>({...e,key:-e.key}));this.kept[t]=[...n,...i].slice(0,cn)}this.quarrel??=e.quarrel}addWork(e){let t=this.kept.work.find(t=>t.see===e.see&&t.did===e.did&&e.tick-t.tick<=ln);t?(t.count++,t.tick=e.tick,t.which=e.which):this.add(e)}add(e){let t=this.kept[e.sort];t.unshift({key:this.next++,...e}),t.length>cn&&t.pop()}},bn=160,xn=1e3,Sn=2,Cn=12,wn=5,Tn=class{paths=new Map;squares=new Map;since=0;take({tick:e,agents:t,audits:n}){(!this.since||e<this.since)&&(this.since=e,this.paths.clear(),this.squares.clear());for(let{id:n,pos:[r,,i]}of t)this.step(n,{x:r,z:i,tick:e});for(let{pos:[e,,t],to:r}of n??[])this.square(Math.floor(e/8),Math.floor(t/8))[r===0?`mined`:`placed`]++}takeWalks(e,t,n){for(let{id:r,x:i,z:a,tick:o}of e.walks(t,n,wn))this.step(r,{x:i,z:a,tick:o});this.since||=1}square(e,t){let n=`${e},${t}`,r=this.squares.get(n);if(r)return r;let i={x:e,z:t,mined:0,placed:0};return this.squares.set(n,i),i}takeSquares(e){for(let[t,n,r,i]of e){let e=this.square(t,n);e.mined+=r,e.placed+=i}}goBack(e){for(let[t,n]of e.paths){let e=this.paths.get(t)??[];this.paths.set(t,[...n.filter(({tick:t})=>!e[0]||t<e[0].tick),...e].slice(-160))}}step(e,t){let n=this.paths.get(e)??[],r=n[n.length-1],i=r?Math.hypot(t.x-r.x,t.z-r.z):1/0;if(!(i<Sn)){for(r&&i>Cn&&(n.length=0),n.push(t);n.length>bn||n[0].tick<t.tick-1e3;)n.shift();this.paths.set(e,n)}}static count({mined:e,placed:t},n){return n===`all`?e+t:n===`mined`?e:t}},En=class{limit;entries=new Map;constructor(e){this.limit=e}get(e){return this.entries.get(e)}has(e){return this.entries.has(e)}set(e,t){this.entries.delete(e),this.entries.set(e,t),this.entries.size>this.limit&&this.entries.delete(this.entries.keys().next().value)}values(){return this.entries.values()}clear(){this.entries.clear()}},Dn=40,On=1e3,kn=1e4,An=4,jn=class{parts=new En(Dn);pace=new Oe(On);get(e){return this.parts.get(e)}values(){return this.parts.values()}clear(){this.parts.clear()}load(e,t,n,r){this.pace.admits(e)&&t().then(t=>{this.parts.set(e,t),n()},r)}},Mn=e=>Math.floor(e/250),Nn=class{listener;of;state=null;possible=0;segments=new jn;privateRecords=new jn;activity=new En(Dn);statePace=new Oe(kn);constructor(e,t=tt){this.listener=e,this.of=t}get loaded(){return[...this.segments.values()].map(({document:e})=>[e.first,e.last])}begin(){this.statePace.reset(),this.segments.clear()}askAgain(){this.statePace.reset()}async refresh(e){if(!this.statePace.admits(`state`,e))return null;let t=await it(this.of).catch(()=>null);if(!t)return null;if(this.state&&t.world!==this.state.world)for(let e of[this.segments,this.activity,this.privateRecords])e.clear();return this.state=t,this.possible=this.countPossible(t),t}holds(e){if(e<0)return!1;let t=Math.max(1,e*250),n=(e+1)*250-1;return this.state?.playable.some(([e,r])=>e<=t&&n<=r)??!1}isGone(e){return this.state===null||e>=this.state.tick?!1:!this.state.playable.some(([t,n])=>t<=e&&e<=n)}segment(e){return this.segments.get(e)}segmentWith(e){let t=Mn(e);this.isGone(e)||this.need(t,e);let n=this.segments.get(t);return n?.has(e)?n:null}need(e,t){if(this.segments.get(e)?.has(t)||!this.state)return;let{world:n}=this.state;this.segments.load(e,()=>ot(e,n,this.of),()=>this.listener.segmentArrived(e),t=>this.listener.segmentFailed(e,t))}between(e,t){let n=Math.min(e,t),r=Math.max(e,t),i=Mn(n+1),a=Mn(r);if(a-i>An)return null;let o=[];for(let e=i;e<=a;e++){let t=this.segments.get(e);if(!t||t.document.seasons.some(([e])=>e>n&&e<=r)||e===a&&!t.has(r))return null;o.push(t)}return o}privateRecordsOf(e,t,n,r){let i=this.privateRecords.get(e);if((!i||i.last<t)&&this.state){let{world:t}=this.state,i=e===Mn(n)?n:1/0;this.privateRecords.load(e,async()=>({last:i,records:await st(e,t,this.of)}),r,()=>{})}return i?.records??null}loadedPrivateRecords(e){return this.privateRecords.get(e)?.records??null}activityBefore(e,t){return this.activity.has(e)||(this.activity.set(e,[]),ct(0,e*250-1,this.of).then(n=>{this.activity.set(e,n),t()},()=>{})),this.activity.get(e)??[]}countPossible({missing:e,of:t}){let n=new Set;for(let{first:r,last:i}of e)for(let e=Mn(r);e*250<=i&&e<t;e++)this.holds(e)||n.add(e);return t-n.size}},Pn=class{chronicle=new yn;traces=new Tn;takeSegment(e,t,n,r){let i=e.document.first-1;this.chronicle.takeEach(e,i,t,n,r),this.traces.takeWalks(e,i,t)}countBlocks(e,t){for(let[n,r,,i,,a]of e.document.blocks)e.n*250+n>t||this.traces.square(r>>3,i>>3)[a===0?`mined`:`placed`]++}},Fn=class{tape;nameOf;history=new Pn;firstSegment=1/0;constructor(e,t){this.tape=e,this.nameOf=t}get chronicle(){return this.history.chronicle}get traces(){return this.history.traces}reset(){this.firstSegment=1/0}isComplete(e){return this.firstSegment<=e.n-4}build(e,t,n){let r=Math.max(0,e.n-4);for(let t=e.n-1;t>=r;t--)this.tape.holds(t)&&this.tape.need(t,Math.max(1,t*250));let i=e.n;for(;i>r&&this.tape.segment(i-1)?.complete;)i--;let a=this.tape.activityBefore(e.n,()=>this.reset());if(!(i>=this.firstSegment)){this.firstSegment=i,this.history=new Pn;for(let t=i;t<e.n;t++)this.history.takeSegment(this.tape.segment(t),1/0,n,this.nameOf);this.history.takeSegment(e,t,n,this.nameOf),this.traces.takeSquares(a),this.history.countBlocks(e,t)}}};async function In(e,t,{looks:n,nameOf:r,strict:i}){if(!e.state)return null;let{world:a}=e.state,o=Mn(t),s=Math.max(0,o-4),c=[...Array(o-s+1).keys()].map(e=>s+e).filter(t=>t===o||e.holds(t)),l=await Promise.all(c.map(t=>ot(t,a,e.of).catch(e=>{if(i)throw e;return null}))),u=await ct(0,o*250-1,e.of).catch(()=>[]),d=new Pn;for(let e of l)e&&(d.takeSegment(e,t-1,n,r),e.n===o&&d.countBlocks(e,t-1));return d.traces.takeSquares(u),d}var Ln=class{tape;clock;isOpen;changed;constructor(e,t,n,r){this.tape=e,this.clock=t,this.isOpen=n,this.changed=r}pocketOf(e){return this.record(`pockets`,e)}chestAt(e){return this.record(`chests`,e)}refusals(){let{tick:e}=this.clock,t=Mn(e),n=[];for(let r=Math.max(0,t-4);r<=t;r++){let i=r===t?e:(r+1)*250-1,a=this.recordsOf(r,i)?.of(i-r*250).get(`refused`)??[];for(let[e,t]of a){let[r,[i,,a]]=t;n.push({agent:e.split(` `)[0],deed:r,x:i,z:a})}}return n}record(e,t){let{tick:n}=this.clock,r=Mn(n);return this.recordsOf(r,n)?.one(n-r*250,e,t)}recordsOf(e,t){return this.isOpen()?this.tape.privateRecordsOf(e,t,this.clock.liveTick,this.changed):this.tape.loadedPrivateRecords(e)}},Rn=[`plain`,`grass`,`earth`,`stone`,`planks`,`bricks`,`bark`,`leaves`,`water`,`window`,`framed`,`chest`,`furnace`,`plant`,`crop`],zn={GRASS:`grass`,DIRT:`earth`,SAND:`earth`,GRAVEL:`earth`,WARREN:`earth`,WARREN_EMPTY:`earth`,STONE:`stone`,BEDROCK:`stone`,COAL_ORE:`stone`,IRON_ORE:`stone`,COPPER_ORE:`stone`,CRYSTAL_ORE:`stone`,ICE:`stone`,PLANK:`planks`,SIGN:`planks`,BRICK:`bricks`,LOG:`bark`,LEAVES:`leaves`,WATER:`water`,GLASS:`window`,METAL_PLATE:`framed`,CRAFTING_BENCH:`framed`,BULLETIN_BOARD:`framed`,CLAIM_TOTEM:`framed`,CONTRACT_TERMINAL:`framed`,CONVEYOR:`framed`,BATTERY:`framed`,SENSOR:`framed`,SWITCH:`framed`,CHEST:`chest`,FURNACE:`furnace`,SAPLING:`plant`,BERRY_BUSH:`plant`,BERRY_BUSH_BARE:`plant`,TALL_GRASS:`plant`,WHEAT_SPROUT:`crop`,WHEAT_RIPE:`crop`},Bn={AIR:{top:0,shape:`none`},GRASS:{top:8363350,side:9073488,under:`DIRT`},DIRT:{top:9137484,under:`DIRT`},SAND:{top:14469528,side:13679753,under:`SAND`},STONE:{top:10263187,side:9473672},GRAVEL:{top:10787728,under:`STONE`},WATER:{top:6001589,side:4948646,shape:`water`,under:`WATER`},ICE:{top:13230314,side:11849950,under:`WATER`},BEDROCK:{top:4868165},COAL_ORE:{top:6512990},IRON_ORE:{top:11901572},COPPER_ORE:{top:12158305},CRYSTAL_ORE:{top:10850249,glow:!0},LOG:{top:11111004,side:7296055},LEAVES:{top:6260552,side:5536321},PLANK:{top:12884579,side:12095064},BRICK:{top:11429202,side:10705994},GLASS:{top:13887210},METAL_PLATE:{top:11910338},CHEST:{top:11105583,side:9988138},FURNACE:{top:7828591,side:6973282},CRAFTING_BENCH:{top:13608299,side:9726266},BULLETIN_BOARD:{top:11963472,side:14733215},CLAIM_TOTEM:{top:14267466,side:11555903},CONTRACT_TERMINAL:{top:5533820,side:4611689},CONVEYOR:{top:6251371,side:5066839},BATTERY:{top:7314018,side:4937040},SENSOR:{top:10271940,side:7176070},SWITCH:{top:12801343,side:7762283},WIRE:{top:11880495,shape:`flat`,under:`DIRT`},TORCH:{top:16765562,side:15906384,shape:`post`,under:`DIRT`,glow:!0},SIGN:{top:13281392,side:12425826,shape:`board`,under:`GRASS`},SAPLING:{top:7905358,shape:`plant`,under:`GRASS`},BERRY_BUSH:{top:10242648,side:7176006,shape:`plant`,under:`GRASS`},BERRY_BUSH_BARE:{top:8096333,shape:`plant`,under:`GRASS`},TALL_GRASS:{top:9810015,side:8363350,shape:`plant`,under:`GRASS`},WHEAT_SPROUT:{top:11124060,side:9415250,shape:`plant`,under:`DIRT`},WHEAT_RIPE:{top:14860640,side:12755531,shape:`plant`,under:`DIRT`},WARREN:{top:7164472,side:9137484,under:`DIRT`},WARREN_EMPTY:{top:8217414,side:9137484,under:`DIRT`}},Vn={BERRIES:10242648,BREAD:13209418,COAL:3881528,COOKED_MEAT:9065526,COPPER_INGOT:12614222,CRYSTAL_SHARD:10850249,IRON_INGOT:13486527,RAW_MEAT:12608604,SEEDS:12038250,STICK:11111004,WHEAT:14860640},Hn={WOOD:12095064,STONE:9473672,IRON:13486527},Un=e=>Vn[e]??Bn[e]?.top??Hn[/^(\w+)_(AXE|PICKAXE|SHOVEL)$/.exec(e)?.[1]??``],Wn=e=>Un(e)!==void 0,Gn=e=>`#${(Un(e)??Kn(e).top).toString(16).padStart(6,`0`)}`;function Kn(e){let t=7;for(let n=0;n<e.length;n++)t=Math.imul(t,31)+e.charCodeAt(n)>>>0;let n=e=>96+(t>>>e&95);return{top:n(0)<<16|n(8)<<8|n(16)}}var qn=e=>[e>>16,e>>8&255,e&255],Jn=class{palette;shape;top;side;glow;kind;under;opaque;leaves;log;grass;constructor(e){this.palette=e;let t=e.map(e=>Bn[e]??Kn(e)),n=t=>Math.max(0,e.indexOf(t));this.shape=t.map(e=>e.shape??`cube`),this.top=t.map(e=>qn(e.top)),this.side=t.map(e=>qn(e.side??e.top)),this.glow=t.map(e=>e.glow??!1),this.kind=Uint8Array.from(e,e=>Rn.indexOf(zn[e]??`plain`)),this.under=Uint16Array.from(t,(e,t)=>e.under?n(e.under):t),this.opaque=Uint8Array.from(this.shape,e=>+(e===`cube`)),this.leaves=n(`LEAVES`),this.log=n(`LOG`),this.grass=n(`GRASS`)}name(e){return this.palette[e]??String(e)}word(e){return be(this.palette[e]??`something`)}},Yn=new RegExp([/\b(C\d{6}|ORG\d{6}|LAW\d{6}|LAND_A\d+_\d+)\b/,/\b([A-Z][A-Z_]{1,30})@(-?\d{1,6},-?\d{1,6},-?\d{1,6})/,/\b(\d{1,9}) ([A-Z][A-Z_]{1,30})\b/,/\b(BUILD|GATHER|DELIVER|[a-z]+(?:_[a-z0-9]+)+)\b/,/\b([A-Z]+(?:_[A-Z]+)+)\b/].map(({source:e})=>e).join(`|`),`g`);function Xn(e,t){let n=[],r=0;for(let i of e.matchAll(Yn)){let{0:a,1:o,2:s,3:c,4:l,5:u,6:d,7:f,index:p}=i;(!u||Wn(u))&&(!f||ne(f)||Wn(f))&&(n.push({text:e.slice(r,p)}),o?n.push({text:t(o),see:o}):c?n.push({text:Zn(s,c,e.slice(0,p)),see:`@${c}`}):f?n.push({text:ne(f)?le(f):$t(f)}):n.push({text:d?j(d):en(u,Number(l))}),r=p+a.length)}return n.push({text:e.slice(r)}),n.filter(({text:e})=>e)}var Zn=(e,t,n)=>/\bthe \w+ is $/i.test(n)?`at ${t.replaceAll(`,`,` `)}`:`the ${be(e)}`,Qn=(e,t)=>Xn(e,t).map(({text:e})=>e).join(``),$n=e=>e.replace(/\b[A-Z][A-Z_]{2,30}\b/g,e=>Wn(e)?be(e):e),er=4,tr=2*Math.PI,nr=e=>e/360*tr;function rr(e,t,n){return e+(((t-e)%tr+tr*1.5)%tr-tr/2)*n}function ir(e,t,n){let r=t>e?Math.min(1,n*2):Math.max(0,n*2-1);return e+(t-e)*r}var ar=class{from;to;since=0;lasts=1;constructor(e,t){this.from=this.to={x:e[0]+.5,y:e[1],z:e[2]+.5,yaw:nr(t),speed:0}}goTo(e,t,n,r){let i=this.at(n),a={x:e[0]+.5,y:e[1],z:e[2]+.5,yaw:nr(t),speed:0},o=Math.hypot(a.x-i.x,a.z-i.z),s=o>er||Math.abs(a.y-i.y)>8;a.speed=s?0:o/r*1e3,this.from=s?a:i,this.to=a,this.since=n,this.lasts=r}at(e){let{from:t,to:n}=this,r=Math.min(1,Math.max(0,(e-this.since)/this.lasts));return r===1?{...n,speed:0}:{x:t.x+(n.x-t.x)*r,y:ir(t.y,n.y,r),z:t.z+(n.z-t.z)*r,yaw:rr(t.yaw,n.yaw,Math.min(1,r*2)),speed:n.speed}}},or=class{interval;last=0;constructor(e){this.interval=e}hear(e){let t=e-this.last;return this.last=e,t>0&&t<5*this.interval+1e3&&(this.interval+=(t-this.interval)*.1),Math.min(1500,Math.max(20,this.interval*1.1))}},sr=6e3,cr=class{agent;motion;hue;saying=null;constructor(e){this.agent=e,this.motion=new ar(e.pos,e.yaw),this.hue=lr(e.id)*.618034%1}get id(){return this.agent.id}pose(e){return this.motion.at(e)}say(e,t){this.saying={text:e,until:t+sr}}get aim(){return(this.agent.work_task??this.agent.move_task)?.target??null}},lr=e=>Number.parseInt(e.slice(1),10)||0,ur=class{list=[];byId=new Map;beat;constructor(e){this.beat=new or(1e3/e)}get(e){return e===null?void 0:this.byId.get(e)}get connected(){return this.list.reduce((e,t)=>e+Number(t.agent.connected),0)}take(e,t){let n=this.beat.hear(t),r=new Set(this.byId.keys());for(let i of e){r.delete(i.id);let e=this.byId.get(i.id);e?(e.agent=i,e.motion.goTo(i.pos,i.yaw,t,n),e.saying&&e.saying.until<t&&(e.saying=null)):this.byId.set(i.id,new cr(i))}for(let e of r)this.byId.delete(e);this.list=[...this.byId.values()].sort((e,t)=>Number(t.agent.connected)-Number(e.agent.connected)||lr(e.id)-lr(t.id))}},dr=e=>ce(e.kind);function fr({connected:e,work_task:t,move_task:n,intent:r}){return e&&!t&&!n&&r?.startsWith(`Asleep`)?`asleep`:t?dr(t):n?dr(n):e?r?`standing`:`idle`:`away`}var pr=({agent:{name:e,title:t}})=>t===`language model`?`${e}, a ${t}`:e,mr=class{bootstrap;looks;terrain;crowd;tick=null;heardAt=performance.now();constructor(e){this.bootstrap=e,this.looks=new Jn(e.block_palette),this.terrain=new Ct(e.world_params.height,this.looks),this.crowd=new ur(e.world_params.tick_rate_hz)}},hr=15,gr=class{tape;ground;present;world=null;society=null;tick=-1;changedAt=0;segment=null;societyKey=``;history;constructor(e,t,n){this.tape=e,this.ground=t,this.present=n,this.history=new Fn(e,e=>n.nameOf(e))}get chronicle(){return this.history.chronicle}get traces(){return this.history.traces}close(){this.world=null,this.society=null,this.segment=null,this.ground.clear(),this.tick=-1,this.history.reset()}restart(e){e&&(this.world=null,this.ground.clear()),this.tick=-1}show(e,t){let n=this.present.bootstrap();return!n||(this.ground.move(e,t),this.completeHistory(e),this.segment&&this.takeRecords(this.segment,this.tick),!this.ground.isLoaded||t===this.tick)?!1:(this.world??=this.newWorld(n),this.showTick(this.world,e,t),!0)}standingOf(e){return this.segment?.records.one(this.offset,`standings`,e)}achievementsOf(e){let t=this.segment?.records.one(this.offset,`achieved`,e),n=this.tape.state?.achievements;if(t===void 0||!n)return null;let r=0,i=e=>Object.fromEntries(e.map(e=>[e,Math.floor(t/2**r++)%2]));return Object.fromEntries(Object.entries(n).map(([e,t])=>[e,i(t)]))}hasStructure(e){return this.segment?.records.one(this.offset,`structures`,e)!==void 0}placeAt(e){return this.segment?{block:this.ground.blockAt(e),...Le(this.segment.records,this.offset,e)}:null}get offset(){return this.tick-(this.segment?.n??0)*250}newWorld(e){let t=new mr(e);return this.ground.showIn(t.terrain),t}showTick(e,t,n){let r=performance.now(),i=n>this.tick&&n-this.tick<=250&&this.tick>=0,a=t.tickAt(n,i?this.tick:n-1);e.tick=a,e.heardAt=r,e.crowd.take(a.agents,r),this.segment=t,this.takeRecords(t,n),i?(this.traces.take(a),this.chronicle.takeEach(t,this.tick,n,e.looks,e=>this.present.nameOf(e))):(this.history.reset(),this.history.build(t,n,e.looks));let o=Math.max(n-hr,i?this.tick:0);for(let{kind:i,from:a,text:s}of t.tickAt(n,o).happenings??[]){if(i!==`CHAT`||!a||!s)continue;let t=Qn(s,e=>this.present.nameOf(e));e.crowd.get(a)?.say(t,r)}this.tick=n,this.changedAt=r}completeHistory(e){this.ground.isLoaded&&this.world&&!this.history.isComplete(e)&&e.has(this.tick)&&this.history.build(e,this.tick,this.world.looks)}takeRecords(e,t){let n=this.present.society(),r=t-e.n*250,i=[e.n,e.document.last,e.records.upTo(r),n?.open_book].join();if(i===this.societyKey&&this.society)return;this.societyKey=i;let a=n??{day_ticks:e.document.day_ticks,open_book:!1};this.society=Ie(e.records,r,t,a)}},_r=[.25,.5,1,2,4,16,64],vr=2,yr=8,br=16,xr=90,Sr=500,Cr=2e3,wr=50,Tr=6e3,Er=5,Dr=class{changed;present;position=null;playing=!1;speed=1;isOver=!1;otherSide=()=>!0;firstTick=1;until=null;liveTick=0;tape;past;book;trouble=null;ground;frameAt=0;constructor(e,t,n,r=tt){this.changed=e,this.present=t,this.tape=new Nn(this,r),this.ground=new Dt(this.tape,n,this),this.past=new gr(this.tape,this.ground,t),this.book=new Ln(this.tape,this,()=>t.society()?.open_book??!1,e)}get isPast(){return this.position!==null}get problem(){return this.trouble?.text??null}get loading(){return this.isPast&&this.trouble===null&&(this.past.tick!==this.tick||!this.ground.isLoaded)}get tick(){return this.position===null?this.liveTick:Math.floor(this.position)}get askedTick(){return this.playing?Math.floor(this.tick/wr)*wr:this.tick}get dayTicks(){return this.tape.state?.day_ticks??Tr}jump(e){this.until=null,this.ground.retry(),this.position=Math.max(Math.min(this.firstTick,this.liveTick),Math.min(e,this.liveTick)),this.trouble=null,this.advance(),e>this.liveTick+1&&this.complain(`Tick ${Or(e)} has not come yet; the last one was ${Or(this.liveTick)}`),e<this.firstTick&&this.firstTick>1&&this.complain(`This film begins with tick ${Or(this.firstTick)}`),this.changed()}playStretch(e,t,n){let r=this.tape.state?.tick_rate_hz??Er;this.jump(Math.max(1,e)),this.speed=_r.find(i=>i>=(t-e)/r/n&&i>=1)??_r[_r.length-1],this.until=Math.min(t,this.liveTick-1),this.playing=!0,this.changed()}goLive(){this.isOver?(this.playing=!1,this.jump(this.liveTick)):(this.until=null,this.position=null,this.playing=!1,this.trouble=null,this.past.close(),this.changed())}toggle(){this.position===null?(this.playing=!1,this.jump(this.liveTick)):this.playing=!this.playing,this.changed()}step(e){this.playing=!1,this.jump(this.tick+e)}setSpeed(e){this.speed=e,this.position===null&&this.jump(this.liveTick),this.playing=!0,this.changed()}complain(e){this.trouble={text:e,missing:null}}async toMark(e,t){let n=this.tick,r=({tick:t})=>e>0?t>n:t<n,i=async(n,i)=>{let a=((await this.marks(n,i,1))?.marks??[]).filter(e=>r(e)&&(t===null||e.refs.includes(t)));return e>0?a[0]:a.at(-1)},a=await(e>0?i(n+1,n+Cr):i(n-Cr,n-1))??await i(0,this.liveTick);a&&this.tick===n&&(this.playing=!1,this.jump(a.tick))}async marks(e,t,n){let r=await at(Math.max(0,Math.floor(e)),Math.max(0,Math.floor(t)),n,this.tape.of).catch(()=>null);for(let e of r?.marks??[])e.text=Qn(e.text,e=>this.present.nameOf(e));return r}begin(){this.tape.begin(),this.past.restart(this.isPast)}async refresh(e){let t=this.tape.state===null,n=await this.tape.refresh(e);n&&(t&&(this.trouble=null),this.liveTick=Math.max(this.liveTick,n.tick),this.advance(),this.changed())}segmentArrived(e){this.trouble?.missing===e&&(this.trouble=null),this.advance(),this.changed()}segmentFailed(e,t){this.position!==null&&Mn(this.position)===e&&(this.trouble={text:t.message,missing:e},this.playing=!1,this.changed())}groundArrived(){this.trouble?.missing===`ground`&&(this.trouble=null),this.advance(),this.changed()}groundFailed(e){e!==null&&(this.trouble={text:e,missing:`ground`}),this.advance(),this.changed()}frame(e){let t=Math.min(e-this.frameAt,Sr);if(this.frameAt=e,this.position!==null){if(this.playing&&this.hasTick&&this.otherSide()){if(this.position+=t/1e3*(this.tape.state?.tick_rate_hz??Er)*this.speed,this.until!==null&&this.position>=this.until){this.jump(this.until),this.playing=!1,this.changed();return}if(this.position>=this.liveTick){this.goLive();return}}e-this.past.changedAt>=xr&&this.advance()}}get hasTick(){let{position:e}=this;return e===null||!this.ground.isLoaded?!1:this.tape.segment(Mn(e))?.has(this.tick)??!1}follow(e,t){let n=this.tape.state?.playable[0]?.[0]??this.firstTick,r=Math.max(n,Math.min(e,this.liveTick));(this.position===null||r!==this.tick)&&(t&&this.ground.retry(),this.trouble=null,this.position=r,this.advance())}advance(){if(this.position===null)return;let{tick:e}=this,t=Mn(e),n=t+this.segmentsAhead;for(let r=t;r<=n&&r*250<=this.liveTick;r++)this.tape.need(r,r===t?e:r*250);let r=this.tape.segment(t);r?.has(e)&&this.past.show(r,e)&&this.changed()}get segmentsAhead(){return this.playing?this.speed>=br?yr:vr:0}},Or=e=>e.toLocaleString(`en-GB`),kr=2e3,Ar=2e4,jr=15e3,Mr=3e3,Nr=250,Pr=class extends Dr{leader=null;get askedTick(){return Math.min(this.leader?.askedTick??this.tick,this.liveTick)}jump(e){this.leader&&(this.leader.playing=!1,this.leader.jump(e))}playStretch(e,t,n){this.leader?.playStretch(e,t,n)}},Fr=class{name;first;changed;place=`world`;isMap=!1;papers=new Jt(()=>{});coarseAt=0;tellsCoarse=!1;time;chosen=null;share=50;viewer;why=`Asking for the other run…`;isRefused=!1;comparison=null;notice=``;hasGrown=!1;named=``;lookedAt=0;isLooking=!1;bootstrap=null;isOver=!1;timer=0;path;constructor(e,t,n){this.name=e,this.first=t,this.changed=n,this.path=x(e),this.time=new Pr(n,{bootstrap:()=>this.bootstrap,society:()=>this.papers.society,nameOf:e=>this.nameOf(e)},()=>t.lookingAt()??{x:0,z:0},`${this.path}/`),this.time.leader=t.time;let r=e=>({value:e});this.viewer=Object.create(t,{time:r(this.time),papers:r(this.papers),isOther:r(!0),see:{get:()=>this.chosen},choose:r(e=>this.choose(e))}),this.begin()}choose(e){this.chosen=e,this.changed()}covers(e){return this.isShown&&e*100>this.share}end(){this.isOver=!0,window.clearTimeout(this.timer)}get world(){return this.time.past.world}get society(){return this.time.past.society}get buildings(){return this.viewer.buildings}get see(){return this.chosen??this.first.see}get attention(){return this.first.attention}get layers(){return this.first.layers}get deed(){return this.first.deed}get traces(){return this.time.past.traces}nameOf(e){return this.world?.crowd.get(e)?.agent.name??this.first.nameOf(e)}get isShared(){let e=this.comparison?.split.tick??null;return e!==null&&this.first.time.tick<=e}get isShown(){return this.world!==null&&!(this.isShared&&this.first.time.tick<this.firstTick)}get keepsUp(){return!this.bootstrap||!this.isShown||this.time.hasTick||this.time.problem!==null}get firstTick(){return this.time.tape.state?.playable[0]?.[0]??1}frame(e){this.bootstrap&&this.time.tape.state&&(this.look(e),this.time.refresh(e),this.time.follow(this.first.time.tick,!this.first.time.playing),this.time.frame(e))}async begin(){let e=await Ee(this.path);if(this.isOver)return;if(!(`state`in e&&e.state===`ready`)){this.why=e.why||`The other run is being made…`,this.isRefused=!(`state`in e)||e.state===`refused`,this.changed(),this.isRefused||(this.timer=window.setTimeout(()=>void this.begin(),kr));return}this.named=e.world,this.notice=e.notice??``;let t=await qt(`${this.path}/bootstrap`);this.papers.society=await qt(`${this.path}/society`),this.papers.buildings=await qt(`${this.path}/buildings`)??[],!t||this.isOver?this.timer=window.setTimeout(()=>void this.begin(),kr):(this.why=``,this.time.begin(),this.time.isOver=!0,this.time.liveTick=t.tick,this.bootstrap=t,this.time.tape.askAgain(),await this.time.refresh(performance.now()),this.changed(),await this.compare())}async look(e){let t=this.first.time.tick>this.time.liveTick-Nr;if(this.isLooking||e-this.lookedAt<(t?Mr:jr))return;this.isLooking=!0,this.lookedAt=e;let n=await Ee(this.path);if(this.isLooking=!1,this.isOver)return;let r=`state`in n?n.notice||(n.state===`ready`?``:n.why):n.why;r!==this.notice&&this.changed(),this.notice=r,`state`in n&&n.state===`ready`&&(n.world===this.named?n.last_tick>this.time.liveTick&&(this.hasGrown=!0,this.time.tape.askAgain(),this.papers.society=await qt(`${this.path}/society`)??this.papers.society,this.papers.buildings=await qt(`${this.path}/buildings`)??this.papers.buildings):this.beginAnew())}beginAnew(){window.clearTimeout(this.timer),this.bootstrap=null,this.comparison=null,this.hasGrown=!1,this.chosen=null,this.time.past.close(),this.begin()}async compare(){let e=await Ee(`v1/comparison?here=${se()}&there=${this.name}`);if(this.isOver)return;`split`in e?this.comparison=e:this.why=e.why,this.changed();let t=`split`in e&&e.whole;this.timer=window.setTimeout(()=>void this.compare(),t?Ar:kr)}},Ir=.006,Lr=.9,Rr=1.6,zr=6,Br={KeyW:[0,1,0],ArrowUp:[0,1,0],KeyS:[0,-1,0],ArrowDown:[0,-1,0],KeyA:[-1,0,0],ArrowLeft:[-1,0,0],KeyD:[1,0,0],ArrowRight:[1,0,0],KeyQ:[0,0,-1],KeyE:[0,0,1]},Vr=class{surface;camera;viewer;acts;down=new Set;up=new Set;fingers=new Map;travelled=0;constructor(e,t,n,r){this.surface=e,this.camera=t,this.viewer=n,this.acts=r,e.addEventListener(`pointerdown`,e=>this.press(e)),e.addEventListener(`pointermove`,e=>this.drag(e)),e.addEventListener(`pointerup`,e=>this.release(e)),e.addEventListener(`pointercancel`,e=>this.fingers.delete(e.pointerId)),e.addEventListener(`contextmenu`,e=>e.preventDefault()),e.addEventListener(`dblclick`,e=>this.goThere(e)),e.addEventListener(`wheel`,e=>this.wheel(e),{passive:!1}),addEventListener(`keydown`,e=>this.key(e)),addEventListener(`keyup`,e=>this.up.add(e.code)),addEventListener(`blur`,()=>this.down.clear())}update(e){let t=Math.min(e,100)/1e3;for(let e of this.down){let[n,r,i]=Br[e];(n||r)&&this.pan(n*Lr*t,r*Lr*t),i&&this.camera.turn(i*Rr*t,0)}for(let e of this.up)this.down.delete(e);this.up.clear()}pan(e,t){this.viewer.letGo();let{distance:n}=this.camera.wished;this.viewer.isMap?this.camera.slide(e*n,-t*n):this.camera.pan(e,t)}zoom(e){this.camera.zoom(e,this.viewer.isMap)}goThere(e){if(!this.viewer.isMap)return;let{x:t,z:n}=this.acts.cellAt(e.offsetX,e.offsetY);this.viewer.letGo(),this.camera.lookAt(t,this.camera.wished.y,n),this.camera.cut(),this.viewer.showMap(!1)}press(e){this.surface.setPointerCapture(e.pointerId),this.fingers.size||(this.travelled=0),this.fingers.set(e.pointerId,{x:e.clientX,y:e.clientY})}drag(e){let t=this.fingers.get(e.pointerId);if(!t)return;let n={x:e.clientX,y:e.clientY},r=n.x-t.x,i=n.y-t.y;if(this.travelled+=Math.abs(r)+Math.abs(i),!(this.travelled<zr)){if(this.fingers.size===2){let a=[...this.fingers].find(([t])=>t!==e.pointerId)?.[1]??n,o=e=>Math.max(10,Math.hypot(e.x-a.x,e.y-a.y));this.zoom(o(t)/o(n)),this.slide(r/2,i/2)}else e.shiftKey||e.buttons&6||this.viewer.isMap?this.slide(r,i):this.camera.turn(-r*Ir,i*Ir);this.fingers.set(e.pointerId,n)}}slide(e,t){let n=.77/this.surface.clientHeight;this.pan(-e*n,t*n)}release(e){if(this.fingers.delete(e.pointerId),this.travelled>=zr||e.button!==0)return;let t=this.surface.getBoundingClientRect();this.acts.choose(e.clientX-t.left,e.clientY-t.top)}wheel(e){e.preventDefault();let t=this.camera.wished.distance;if(this.zoom(Math.exp(Math.max(-80,Math.min(80,e.deltaY))*.0025)),!this.viewer.isMap||this.viewer.attention.following)return;let{x:n,z:r}=this.acts.cellAt(e.offsetX,e.offsetY),i=1-this.camera.wished.distance/t;this.camera.slide((n-this.camera.wished.x)*i,(r-this.camera.wished.z)*i)}key(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key===`Escape`){if(this.acts.closeTop())return;this.viewer.see===null&&this.viewer.time.isPast?this.viewer.time.goLive():this.viewer.choose(null);return}if(e.target instanceof Element&&e.target.matches(`input, textarea, select`))return;let n=t[Number(e.key)-1];n?this.viewer.go(n):e.key===`?`?this.acts.toggleHelp():this.viewer.place===`world`&&this.inWorld(e)}hold(e){this.down.add(e),this.up.delete(e)}inWorld(e){let t={"+":()=>this.zoom(.8),"=":()=>this.zoom(.8),"-":()=>this.zoom(1.25),m:()=>this.viewer.showMap(!this.viewer.isMap),l:()=>this.acts.toggleLayers(),t:()=>this.acts.toggleTour(),c:()=>this.acts.toggleCompare(),g:()=>this.acts.toggleGoingOn(),n:()=>this.viewer.watchNext(1),p:()=>this.viewer.watchNext(-1),f:()=>this.viewer.watch(this.viewer.attention.watched)};if(e.code in Br)this.hold(e.code);else if(t[e.key.toLowerCase()])t[e.key.toLowerCase()]();else return;e.preventDefault()}},Hr=1e3,Ur=1001,Wr=1002,Gr=1003,Kr=1004,qr=1005,Jr=1006,Yr=1007,Xr=1008,Zr=1009,Qr=1010,$r=1011,ei=1012,ti=1013,ni=1014,ri=1015,ii=1016,ai=1017,oi=1018,si=1020,ci=35902,li=35899,ui=1021,di=1022,fi=1023,pi=1026,mi=1027,hi=1028,gi=1029,_i=1030,vi=1031,yi=1033,bi=33776,xi=33777,Si=33778,Ci=33779,wi=35840,Ti=35841,Ei=35842,Di=35843,Oi=36196,ki=37492,Ai=37496,ji=37488,Mi=37489,Ni=37490,Pi=37491,Fi=37808,Ii=37809,Li=37810,Ri=37811,zi=37812,Bi=37813,Vi=37814,Hi=37815,Ui=37816,Wi=37817,Gi=37818,Ki=37819,qi=37820,Ji=37821,Yi=36492,Xi=36494,Zi=36495,Qi=36283,$i=36284,ea=36285,ta=36286,na=2300,ra=2301,ia=2302,aa=2303,oa=2400,sa=2401,ca=2402,la=3200,ua=`srgb`,da=`srgb-linear`,fa=`linear`,pa=`srgb`,ma=7680,ha=35044,ga=35048,_a=2e3;function va(e){for(let t=e.length-1;t>=0;--t)if(e[t]>=65535)return!0;return!1}function ya(e){return ArrayBuffer.isView(e)&&!(e instanceof DataView)}function ba(e){return document.createElementNS(`http://www.w3.org/1999/xhtml`,e)}function xa(){let e=ba(`canvas`);return e.style.display=`block`,e}var Sa={};function Ca(...e){let t=`THREE.`+e.shift();console.log(t,...e)}function wa(e){let t=e[0];if(typeof t==`string`&&t.startsWith(`TSL:`)){let t=e[1];t&&t.isStackTrace?e[0]+=` `+t.getLocation():e[1]=`Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.`}return e}function H(...e){e=wa(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.warn(n.getError(t)):console.warn(t,...e)}}function U(...e){e=wa(e);let t=`THREE.`+e.shift();{let n=e[0];n&&n.isStackTrace?console.error(n.getError(t)):console.error(t,...e)}}function Ta(...e){let t=e.join(` `);t in Sa||(Sa[t]=!0,H(...e))}function Ea(e,t,n){return new Promise(function(r,i){function a(){switch(e.clientWaitSync(t,e.SYNC_FLUSH_COMMANDS_BIT,0)){case e.WAIT_FAILED:i();break;case e.TIMEOUT_EXPIRED:setTimeout(a,n);break;default:r()}}setTimeout(a,n)})}var Da={0:0,2:6,4:4,3:5,1:1,6:2,7:7,5:3},Oa=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n!==void 0&&n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let r=n[e];if(r!==void 0){let e=r.indexOf(t);e!==-1&&r.splice(e,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let t=n.slice(0);for(let n=0,r=t.length;n<r;n++)t[n].call(this,e);e.target=null}}},ka=`00.01.02.03.04.05.06.07.08.09.0a.0b.0c.0d.0e.0f.10.11.12.13.14.15.16.17.18.19.1a.1b.1c.1d.1e.1f.20.21.22.23.24.25.26.27.28.29.2a.2b.2c.2d.2e.2f.30.31.32.33.34.35.36.37.38.39.3a.3b.3c.3d.3e.3f.40.41.42.43.44.45.46.47.48.49.4a.4b.4c.4d.4e.4f.50.51.52.53.54.55.56.57.58.59.5a.5b.5c.5d.5e.5f.60.61.62.63.64.65.66.67.68.69.6a.6b.6c.6d.6e.6f.70.71.72.73.74.75.76.77.78.79.7a.7b.7c.7d.7e.7f.80.81.82.83.84.85.86.87.88.89.8a.8b.8c.8d.8e.8f.90.91.92.93.94.95.96.97.98.99.9a.9b.9c.9d.9e.9f.a0.a1.a2.a3.a4.a5.a6.a7.a8.a9.aa.ab.ac.ad.ae.af.b0.b1.b2.b3.b4.b5.b6.b7.b8.b9.ba.bb.bc.bd.be.bf.c0.c1.c2.c3.c4.c5.c6.c7.c8.c9.ca.cb.cc.cd.ce.cf.d0.d1.d2.d3.d4.d5.d6.d7.d8.d9.da.db.dc.dd.de.df.e0.e1.e2.e3.e4.e5.e6.e7.e8.e9.ea.eb.ec.ed.ee.ef.f0.f1.f2.f3.f4.f5.f6.f7.f8.f9.fa.fb.fc.fd.fe.ff`.split(`.`),Aa=Math.PI/180,ja=180/Math.PI;function Ma(){let e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0,r=Math.random()*4294967295|0;return(ka[e&255]+ka[e>>8&255]+ka[e>>16&255]+ka[e>>24&255]+`-`+ka[t&255]+ka[t>>8&255]+`-`+ka[t>>16&15|64]+ka[t>>24&255]+`-`+ka[n&63|128]+ka[n>>8&255]+`-`+ka[n>>16&255]+ka[n>>24&255]+ka[r&255]+ka[r>>8&255]+ka[r>>16&255]+ka[r>>24&255]).toLowerCase()}function W(e,t,n){return Math.max(t,Math.min(n,e))}function Na(e,t){return(e%t+t)%t}function Pa(e,t,n){return(1-n)*e+n*t}function Fa(e){return 2**Math.floor(Math.log(e)/Math.LN2)}function Ia(e){switch(e.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function La(e,t){if(t.constructor===Float32Array)return e;let n=Ia(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.max(e/n,-1)}function Ra(e,t){if(t.constructor===Float32Array)return e;let n=Ia(t);if(n===void 0)throw Error(`THREE.MathUtils: Invalid component type.`);return Math.round(e*n)}var za=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw Error(`THREE.Vector2: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw Error(`THREE.Vector2: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6],this.y=r[1]*t+r[4]*n+r[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=W(this.x,e.x,t.x),this.y=W(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=W(this.x,e,t),this.y=W(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(W(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(W(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),r=Math.sin(t),i=this.x-e.x,a=this.y-e.y;return this.x=i*n-a*r+e.x,this.y=i*r+a*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},Ba=class{constructor(e=0,t=0,n=0,r=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=r}static slerpFlat(e,t,n,r,i,a,o){let s=n[r+0],c=n[r+1],l=n[r+2],u=n[r+3],d=i[a+0],f=i[a+1],p=i[a+2],m=i[a+3];if(u!==m||s!==d||c!==f||l!==p){let e=s*d+c*f+l*p+u*m;e<0&&(d=-d,f=-f,p=-p,m=-m,e=-e);let t=1-o;if(e<.9995){let n=Math.acos(e),r=Math.sin(n);t=Math.sin(t*n)/r,o=Math.sin(o*n)/r,s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o}else{s=s*t+d*o,c=c*t+f*o,l=l*t+p*o,u=u*t+m*o;let e=1/Math.sqrt(s*s+c*c+l*l+u*u);s*=e,c*=e,l*=e,u*=e}}e[t]=s,e[t+1]=c,e[t+2]=l,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,r,i,a){let o=n[r],s=n[r+1],c=n[r+2],l=n[r+3],u=i[a],d=i[a+1],f=i[a+2],p=i[a+3];return e[t]=o*p+l*u+s*f-c*d,e[t+1]=s*p+l*d+c*u-o*f,e[t+2]=c*p+l*f+o*d-s*u,e[t+3]=l*p-o*u-s*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,r){return this._x=e,this._y=t,this._z=n,this._w=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,r=e._y,i=e._z,a=e._order,o=Math.cos,s=Math.sin,c=o(n/2),l=o(r/2),u=o(i/2),d=s(n/2),f=s(r/2),p=s(i/2);switch(a){case`XYZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`YXZ`:this._x=d*l*u+c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`ZXY`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u-d*f*p;break;case`ZYX`:this._x=d*l*u-c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u+d*f*p;break;case`YZX`:this._x=d*l*u+c*f*p,this._y=c*f*u+d*l*p,this._z=c*l*p-d*f*u,this._w=c*l*u-d*f*p;break;case`XZY`:this._x=d*l*u-c*f*p,this._y=c*f*u-d*l*p,this._z=c*l*p+d*f*u,this._w=c*l*u+d*f*p;break;default:H(`Quaternion: .setFromEuler() encountered an unknown order: `+a)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,r=Math.sin(n);return this._x=e.x*r,this._y=e.y*r,this._z=e.z*r,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],r=t[4],i=t[8],a=t[1],o=t[5],s=t[9],c=t[2],l=t[6],u=t[10],d=n+o+u;if(d>0){let e=.5/Math.sqrt(d+1);this._w=.25/e,this._x=(l-s)*e,this._y=(i-c)*e,this._z=(a-r)*e}else if(n>o&&n>u){let e=2*Math.sqrt(1+n-o-u);this._w=(l-s)/e,this._x=.25*e,this._y=(r+a)/e,this._z=(i+c)/e}else if(o>u){let e=2*Math.sqrt(1+o-n-u);this._w=(i-c)/e,this._x=(r+a)/e,this._y=.25*e,this._z=(s+l)/e}else{let e=2*Math.sqrt(1+u-n-o);this._w=(a-r)/e,this._x=(i+c)/e,this._y=(s+l)/e,this._z=.25*e}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(W(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let r=Math.min(1,t/n);return this.slerp(e,r),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x*=e,this._y*=e,this._z*=e,this._w*=e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=t._x,s=t._y,c=t._z,l=t._w;return this._x=n*l+a*o+r*c-i*s,this._y=r*l+a*s+i*o-n*c,this._z=i*l+a*c+n*s-r*o,this._w=a*l-n*o-r*s-i*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,r=e._y,i=e._z,a=e._w,o=this.dot(e);o<0&&(n=-n,r=-r,i=-i,a=-a,o=-o);let s=1-t;if(o<.9995){let e=Math.acos(o),c=Math.sin(e);s=Math.sin(s*e)/c,t=Math.sin(t*e)/c,this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this._onChangeCallback()}else this._x=this._x*s+n*t,this._y=this._y*s+r*t,this._z=this._z*s+i*t,this._w=this._w*s+a*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),r=Math.sqrt(1-n),i=Math.sqrt(n);return this.set(r*Math.sin(e),r*Math.cos(e),i*Math.sin(t),i*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},G=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw Error(`THREE.Vector3: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw Error(`THREE.Vector3: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(Ha.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(Ha.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[3]*n+i[6]*r,this.y=i[1]*t+i[4]*n+i[7]*r,this.z=i[2]*t+i[5]*n+i[8]*r,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=e.elements,a=1/(i[3]*t+i[7]*n+i[11]*r+i[15]);return this.x=(i[0]*t+i[4]*n+i[8]*r+i[12])*a,this.y=(i[1]*t+i[5]*n+i[9]*r+i[13])*a,this.z=(i[2]*t+i[6]*n+i[10]*r+i[14])*a,this}applyQuaternion(e){let t=this.x,n=this.y,r=this.z,i=e.x,a=e.y,o=e.z,s=e.w,c=2*(a*r-o*n),l=2*(o*t-i*r),u=2*(i*n-a*t);return this.x=t+s*c+a*u-o*l,this.y=n+s*l+o*c-i*u,this.z=r+s*u+i*l-a*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,r=this.z,i=e.elements;return this.x=i[0]*t+i[4]*n+i[8]*r,this.y=i[1]*t+i[5]*n+i[9]*r,this.z=i[2]*t+i[6]*n+i[10]*r,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=W(this.x,e.x,t.x),this.y=W(this.y,e.y,t.y),this.z=W(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=W(this.x,e,t),this.y=W(this.y,e,t),this.z=W(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(W(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,r=e.y,i=e.z,a=t.x,o=t.y,s=t.z;return this.x=r*s-i*o,this.y=i*a-n*s,this.z=n*o-r*a,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return Va.copy(this).projectOnVector(e),this.sub(Va)}reflect(e){return this.sub(Va.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(W(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,r=this.z-e.z;return t*t+n*n+r*r}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let r=Math.sin(t)*e;return this.x=r*Math.sin(n),this.y=Math.cos(t)*e,this.z=r*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),r=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=r,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Va=new G,Ha=new Ba,K=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,r,i,a,o,s,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c)}set(e,t,n,r,i,a,o,s,c){let l=this.elements;return l[0]=e,l[1]=r,l[2]=o,l[3]=t,l[4]=i,l[5]=s,l[6]=n,l[7]=a,l[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[3],s=n[6],c=n[1],l=n[4],u=n[7],d=n[2],f=n[5],p=n[8],m=r[0],h=r[3],g=r[6],_=r[1],v=r[4],y=r[7],b=r[2],x=r[5],S=r[8];return i[0]=a*m+o*_+s*b,i[3]=a*h+o*v+s*x,i[6]=a*g+o*y+s*S,i[1]=c*m+l*_+u*b,i[4]=c*h+l*v+u*x,i[7]=c*g+l*y+u*S,i[2]=d*m+f*_+p*b,i[5]=d*h+f*v+p*x,i[8]=d*g+f*y+p*S,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8];return t*a*l-t*o*c-n*i*l+n*o*s+r*i*c-r*a*s}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=l*a-o*c,d=o*s-l*i,f=c*i-a*s,p=t*u+n*d+r*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let m=1/p;return e[0]=u*m,e[1]=(r*c-l*n)*m,e[2]=(o*n-r*a)*m,e[3]=d*m,e[4]=(l*t-r*s)*m,e[5]=(r*i-o*t)*m,e[6]=f*m,e[7]=(n*s-c*t)*m,e[8]=(a*t-n*i)*m,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,r,i,a,o){let s=Math.cos(i),c=Math.sin(i);return this.set(n*s,n*c,-n*(s*a+c*o)+a+e,-r*c,r*s,-r*(-c*a+s*o)+o+t,0,0,1),this}scale(e,t){return Ta(`Matrix3: .scale() is deprecated. Use .makeScale() instead.`),this.premultiply(Ua.makeScale(e,t)),this}rotate(e){return Ta(`Matrix3: .rotate() is deprecated. Use .makeRotation() instead.`),this.premultiply(Ua.makeRotation(-e)),this}translate(e,t){return Ta(`Matrix3: .translate() is deprecated. Use .makeTranslation() instead.`),this.premultiply(Ua.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<9;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},Ua=new K,Wa=new K().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Ga=new K().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Ka(){let e={enabled:!0,workingColorSpace:da,spaces:{},convert:function(e,t,n){return this.enabled===!1||t===n||!t||!n||(this.spaces[t].transfer===`srgb`&&(e.r=qa(e.r),e.g=qa(e.g),e.b=qa(e.b)),this.spaces[t].primaries!==this.spaces[n].primaries&&(e.applyMatrix3(this.spaces[t].toXYZ),e.applyMatrix3(this.spaces[n].fromXYZ)),this.spaces[n].transfer===`srgb`&&(e.r=Ja(e.r),e.g=Ja(e.g),e.b=Ja(e.b))),e},workingToColorSpace:function(e,t){return this.convert(e,this.workingColorSpace,t)},colorSpaceToWorking:function(e,t){return this.convert(e,t,this.workingColorSpace)},getPrimaries:function(e){return this.spaces[e].primaries},getTransfer:function(e){return e===``?fa:this.spaces[e].transfer},getToneMappingMode:function(e){return this.spaces[e].outputColorSpaceConfig.toneMappingMode||`standard`},getLuminanceCoefficients:function(e,t=this.workingColorSpace){return e.fromArray(this.spaces[t].luminanceCoefficients)},define:function(e){Object.assign(this.spaces,e)},_getMatrix:function(e,t,n){return e.copy(this.spaces[n].fromXYZ).multiply(this.spaces[t].toXYZ)},_getDrawingBufferColorSpace:function(e){return this.spaces[e].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(e=this.workingColorSpace){return this.spaces[e].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],n=[.2126,.7152,.0722],r=[.3127,.329];return e.define({[da]:{primaries:t,whitePoint:r,transfer:fa,toXYZ:Wa,fromXYZ:Ga,luminanceCoefficients:n,workingColorSpaceConfig:{unpackColorSpace:ua},outputColorSpaceConfig:{drawingBufferColorSpace:ua}},[ua]:{primaries:t,whitePoint:r,transfer:pa,toXYZ:Wa,fromXYZ:Ga,luminanceCoefficients:n,outputColorSpaceConfig:{drawingBufferColorSpace:ua}}}),e}var q=Ka();function qa(e){return e<.04045?e*.0773993808:(e*.9478672986+.0521327014)**2.4}function Ja(e){return e<.0031308?e*12.92:1.055*e**.41666-.055}var Ya,Xa=class{static getDataURL(e,t=`image/png`){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>`u`)return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{Ya===void 0&&(Ya=ba(`canvas`)),Ya.width=e.width,Ya.height=e.height;let t=Ya.getContext(`2d`);e instanceof ImageData?t.putImageData(e,0,0):t.drawImage(e,0,0,e.width,e.height),n=Ya}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap){let t=ba(`canvas`);t.width=e.width,t.height=e.height;let n=t.getContext(`2d`);n.drawImage(e,0,0,e.width,e.height);let r=n.getImageData(0,0,e.width,e.height),i=r.data;for(let e=0;e<i.length;e++)i[e]=qa(i[e]/255)*255;return n.putImageData(r,0,0),t}if(e.data){let t=e.data.slice(0);for(let e=0;e<t.length;e++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[e]=Math.floor(qa(t[e]/255)*255):t[e]=qa(t[e]);return{data:t,width:e.width,height:e.height}}return H(`ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied.`),e}},Za=0,Qa=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:Za++}),this.uuid=Ma(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<`u`&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<`u`&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t===null?e.set(0,0,0):e.set(t.width||0,t.height||0,t.depth||0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:``},r=this.data;if(r!==null){let e;if(Array.isArray(r)){e=[];for(let t=0,n=r.length;t<n;t++)r[t].isDataTexture?e.push($a(r[t].image)):e.push($a(r[t]))}else e=$a(r);n.url=e}return t||(e.images[this.uuid]=n),n}};function $a(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap?Xa.getDataURL(e):e.data?{data:Array.from(e.data),width:e.width,height:e.height,type:e.data.constructor.name}:(H(`Texture: Unable to serialize Texture.`),{})}var eo=0,to=new G,no=class e extends Oa{constructor(t=e.DEFAULT_IMAGE,n=e.DEFAULT_MAPPING,r=Ur,i=Ur,a=Jr,o=Xr,s=fi,c=Zr,l=e.DEFAULT_ANISOTROPY,u=``){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:eo++}),this.uuid=Ma(),this.name=``,this.source=new Qa(t),this.mipmaps=[],this.mapping=n,this.channel=0,this.wrapS=r,this.wrapT=i,this.magFilter=a,this.minFilter=o,this.anisotropy=l,this.format=s,this.internalFormat=null,this.type=c,this.offset=new za(0,0),this.repeat=new za(1,1),this.center=new za(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new K,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=u,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(to).x}get height(){return this.source.getSize(to).y}get depth(){return this.source.getSize(to).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){H(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?H(`Texture.setValues(): property '${t}' does not exist.`):r&&n&&r.isVector2&&n.isVector2||r&&n&&r.isVector3&&n.isVector3||r&&n&&r.isMatrix3&&n.isMatrix3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:`Texture`,generator:`Texture.toJSON`},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:`dispose`})}transformUv(e){if(this.mapping!==300)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Hr:e.x-=Math.floor(e.x);break;case Ur:e.x=e.x<0?0:1;break;case Wr:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x-=Math.floor(e.x)}if(e.y<0||e.y>1)switch(this.wrapT){case Hr:e.y-=Math.floor(e.y);break;case Ur:e.y=e.y<0?0:1;break;case Wr:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y-=Math.floor(e.y)}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};no.DEFAULT_IMAGE=null,no.DEFAULT_MAPPING=300,no.DEFAULT_ANISOTROPY=1;var ro=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,r=1){this.x=e,this.y=t,this.z=n,this.w=r}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,r){return this.x=e,this.y=t,this.z=n,this.w=r,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw Error(`THREE.Vector4: index is out of range: `+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw Error(`THREE.Vector4: index is out of range: `+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w===void 0?1:e.w,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,r=this.z,i=this.w,a=e.elements;return this.x=a[0]*t+a[4]*n+a[8]*r+a[12]*i,this.y=a[1]*t+a[5]*n+a[9]*r+a[13]*i,this.z=a[2]*t+a[6]*n+a[10]*r+a[14]*i,this.w=a[3]*t+a[7]*n+a[11]*r+a[15]*i,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,r,i,a=.01,o=.1,s=e.elements,c=s[0],l=s[4],u=s[8],d=s[1],f=s[5],p=s[9],m=s[2],h=s[6],g=s[10];if(Math.abs(l-d)<a&&Math.abs(u-m)<a&&Math.abs(p-h)<a){if(Math.abs(l+d)<o&&Math.abs(u+m)<o&&Math.abs(p+h)<o&&Math.abs(c+f+g-3)<o)return this.set(1,0,0,0),this;t=Math.PI;let e=(c+1)/2,s=(f+1)/2,_=(g+1)/2,v=(l+d)/4,y=(u+m)/4,b=(p+h)/4;return e>s&&e>_?e<a?(n=0,r=.707106781,i=.707106781):(n=Math.sqrt(e),r=v/n,i=y/n):s>_?s<a?(n=.707106781,r=0,i=.707106781):(r=Math.sqrt(s),n=v/r,i=b/r):_<a?(n=.707106781,r=.707106781,i=0):(i=Math.sqrt(_),n=y/i,r=b/i),this.set(n,r,i,t),this}let _=Math.sqrt((h-p)*(h-p)+(u-m)*(u-m)+(d-l)*(d-l));return Math.abs(_)<.001&&(_=1),this.x=(h-p)/_,this.y=(u-m)/_,this.z=(d-l)/_,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=W(this.x,e.x,t.x),this.y=W(this.y,e.y,t.y),this.z=W(this.z,e.z,t.z),this.w=W(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=W(this.x,e,t),this.y=W(this.y,e,t),this.z=W(this.z,e,t),this.w=W(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(W(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},io=class extends Oa{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:Jr,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new ro(0,0,e,t),this.scissorTest=!1,this.viewport=new ro(0,0,e,t),this.textures=[];let r=n.count;for(let i=0;i<r;i++)this.textures[i]=new no({width:e,height:t,depth:n.depth}),this.textures[i].isRenderTargetTexture=!0,this.textures[i].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:Jr,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let e=0;e<this.textures.length;e++)this.textures[e].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let r=0,i=this.textures.length;r<i;r++)this.textures[r].image.width=e,this.textures[r].image.height=t,this.textures[r].image.depth=n,this.textures[r].isData3DTexture!==!0&&(this.textures[r].isArrayTexture=this.textures[r].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let n=Object.assign({},e.textures[t].image);this.textures[t].source=new Qa(n)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null){if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture}else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:`dispose`})}},ao=class extends io{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},oo=class extends no{constructor(e=null,t=1,n=1,r=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Gr,this.minFilter=Gr,this.wrapR=Ur,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}},so=class extends no{constructor(e=null,t=1,n=1,r=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:r},this.magFilter=Gr,this.minFilter=Gr,this.wrapR=Ur,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}},co=class e{static{this.prototype.isMatrix4=!0}constructor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h)}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=r,g[1]=i,g[5]=a,g[9]=o,g[13]=s,g[2]=c,g[6]=l,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=m,g[15]=h,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new e().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,r=1/lo.setFromMatrixColumn(e,0).length(),i=1/lo.setFromMatrixColumn(e,1).length(),a=1/lo.setFromMatrixColumn(e,2).length();return t[0]=n[0]*r,t[1]=n[1]*r,t[2]=n[2]*r,t[3]=0,t[4]=n[4]*i,t[5]=n[5]*i,t[6]=n[6]*i,t[7]=0,t[8]=n[8]*a,t[9]=n[9]*a,t[10]=n[10]*a,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,r=e.y,i=e.z,a=Math.cos(n),o=Math.sin(n),s=Math.cos(r),c=Math.sin(r),l=Math.cos(i),u=Math.sin(i);if(e.order===`XYZ`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=-s*u,t[8]=c,t[1]=n+r*c,t[5]=e-i*c,t[9]=-o*s,t[2]=i-e*c,t[6]=r+n*c,t[10]=a*s}else if(e.order===`YXZ`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e+i*o,t[4]=r*o-n,t[8]=a*c,t[1]=a*u,t[5]=a*l,t[9]=-o,t[2]=n*o-r,t[6]=i+e*o,t[10]=a*s}else if(e.order===`ZXY`){let e=s*l,n=s*u,r=c*l,i=c*u;t[0]=e-i*o,t[4]=-a*u,t[8]=r+n*o,t[1]=n+r*o,t[5]=a*l,t[9]=i-e*o,t[2]=-a*c,t[6]=o,t[10]=a*s}else if(e.order===`ZYX`){let e=a*l,n=a*u,r=o*l,i=o*u;t[0]=s*l,t[4]=r*c-n,t[8]=e*c+i,t[1]=s*u,t[5]=i*c+e,t[9]=n*c-r,t[2]=-c,t[6]=o*s,t[10]=a*s}else if(e.order===`YZX`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=i-e*u,t[8]=r*u+n,t[1]=u,t[5]=a*l,t[9]=-o*l,t[2]=-c*l,t[6]=n*u+r,t[10]=e-i*u}else if(e.order===`XZY`){let e=a*s,n=a*c,r=o*s,i=o*c;t[0]=s*l,t[4]=-u,t[8]=c*l,t[1]=e*u+i,t[5]=a*l,t[9]=n*u-r,t[2]=r*u-n,t[6]=o*l,t[10]=i*u+e}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(fo,e,po)}lookAt(e,t,n){let r=this.elements;return go.subVectors(e,t),go.lengthSq()===0&&(go.z=1),go.normalize(),mo.crossVectors(n,go),mo.lengthSq()===0&&(Math.abs(n.z)===1?go.x+=1e-4:go.z+=1e-4,go.normalize(),mo.crossVectors(n,go)),mo.normalize(),ho.crossVectors(go,mo),r[0]=mo.x,r[4]=ho.x,r[8]=go.x,r[1]=mo.y,r[5]=ho.y,r[9]=go.y,r[2]=mo.z,r[6]=ho.z,r[10]=go.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,r=t.elements,i=this.elements,a=n[0],o=n[4],s=n[8],c=n[12],l=n[1],u=n[5],d=n[9],f=n[13],p=n[2],m=n[6],h=n[10],g=n[14],_=n[3],v=n[7],y=n[11],b=n[15],x=r[0],S=r[4],C=r[8],w=r[12],T=r[1],E=r[5],D=r[9],O=r[13],k=r[2],A=r[6],j=r[10],ee=r[14],M=r[3],te=r[7],ne=r[11],re=r[15];return i[0]=a*x+o*T+s*k+c*M,i[4]=a*S+o*E+s*A+c*te,i[8]=a*C+o*D+s*j+c*ne,i[12]=a*w+o*O+s*ee+c*re,i[1]=l*x+u*T+d*k+f*M,i[5]=l*S+u*E+d*A+f*te,i[9]=l*C+u*D+d*j+f*ne,i[13]=l*w+u*O+d*ee+f*re,i[2]=p*x+m*T+h*k+g*M,i[6]=p*S+m*E+h*A+g*te,i[10]=p*C+m*D+h*j+g*ne,i[14]=p*w+m*O+h*ee+g*re,i[3]=_*x+v*T+y*k+b*M,i[7]=_*S+v*E+y*A+b*te,i[11]=_*C+v*D+y*j+b*ne,i[15]=_*w+v*O+y*ee+b*re,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[12],a=e[1],o=e[5],s=e[9],c=e[13],l=e[2],u=e[6],d=e[10],f=e[14],p=e[3],m=e[7],h=e[11],g=e[15],_=s*f-c*d,v=o*f-c*u,y=o*d-s*u,b=a*f-c*l,x=a*d-s*l,S=a*u-o*l;return t*(m*_-h*v+g*y)-n*(p*_-h*b+g*x)+r*(p*v-m*b+g*S)-i*(p*y-m*x+h*S)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],r=e[8],i=e[1],a=e[5],o=e[9],s=e[2],c=e[6],l=e[10];return t*(a*l-o*c)-n*(i*l-o*s)+r*(i*c-a*s)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let r=this.elements;return e.isVector3?(r[12]=e.x,r[13]=e.y,r[14]=e.z):(r[12]=e,r[13]=t,r[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=t*c-i*a,b=n*s-r*o,x=n*c-i*o,S=r*c-i*s,C=l*m-u*p,w=l*h-d*p,T=l*g-f*p,E=u*h-d*m,D=u*g-f*m,O=d*g-f*h,k=_*O-v*D+y*E+b*T-x*w+S*C;if(k===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let A=1/k;return e[0]=(o*O-s*D+c*E)*A,e[1]=(r*D-n*O-i*E)*A,e[2]=(m*S-h*x+g*b)*A,e[3]=(d*x-u*S-f*b)*A,e[4]=(s*T-a*O-c*w)*A,e[5]=(t*O-r*T+i*w)*A,e[6]=(h*y-p*S-g*v)*A,e[7]=(l*S-d*y+f*v)*A,e[8]=(a*D-o*T+c*C)*A,e[9]=(n*T-t*D-i*C)*A,e[10]=(p*x-m*y+g*_)*A,e[11]=(u*y-l*x-f*_)*A,e[12]=(o*w-a*E-s*C)*A,e[13]=(t*E-n*w+r*C)*A,e[14]=(m*v-p*b-h*_)*A,e[15]=(l*b-u*v+d*_)*A,this}scale(e){let t=this.elements,n=e.x,r=e.y,i=e.z;return t[0]*=n,t[4]*=r,t[8]*=i,t[1]*=n,t[5]*=r,t[9]*=i,t[2]*=n,t[6]*=r,t[10]*=i,t[3]*=n,t[7]*=r,t[11]*=i,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],r=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,r))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),r=Math.sin(t),i=1-n,a=e.x,o=e.y,s=e.z,c=i*a,l=i*o;return this.set(c*a+n,c*o-r*s,c*s+r*o,0,c*o+r*s,l*o+n,l*s-r*a,0,c*s-r*o,l*s+r*a,i*s*s+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,r,i,a){return this.set(1,n,i,0,e,1,a,0,t,r,1,0,0,0,0,1),this}compose(e,t,n){let r=this.elements,i=t._x,a=t._y,o=t._z,s=t._w,c=i+i,l=a+a,u=o+o,d=i*c,f=i*l,p=i*u,m=a*l,h=a*u,g=o*u,_=s*c,v=s*l,y=s*u,b=n.x,x=n.y,S=n.z;return r[0]=(1-(m+g))*b,r[1]=(f+y)*b,r[2]=(p-v)*b,r[3]=0,r[4]=(f-y)*x,r[5]=(1-(d+g))*x,r[6]=(h+_)*x,r[7]=0,r[8]=(p+v)*S,r[9]=(h-_)*S,r[10]=(1-(d+m))*S,r[11]=0,r[12]=e.x,r[13]=e.y,r[14]=e.z,r[15]=1,this}decompose(e,t,n){let r=this.elements;e.x=r[12],e.y=r[13],e.z=r[14];let i=this.determinantAffine();if(i===0)return n.set(1,1,1),t.identity(),this;let a=lo.set(r[0],r[1],r[2]).length(),o=lo.set(r[4],r[5],r[6]).length(),s=lo.set(r[8],r[9],r[10]).length();i<0&&(a=-a),uo.copy(this);let c=1/a,l=1/o,u=1/s;return uo.elements[0]*=c,uo.elements[1]*=c,uo.elements[2]*=c,uo.elements[4]*=l,uo.elements[5]*=l,uo.elements[6]*=l,uo.elements[8]*=u,uo.elements[9]*=u,uo.elements[10]*=u,t.setFromRotationMatrix(uo),n.x=a,n.y=o,n.z=s,this}makePerspective(e,t,n,r,i,a,o=_a,s=!1){let c=this.elements,l=2*i/(t-e),u=2*i/(n-r),d=(t+e)/(t-e),f=(n+r)/(n-r),p,m;if(s)p=i/(a-i),m=a*i/(a-i);else if(o===2e3)p=-(a+i)/(a-i),m=-2*a*i/(a-i);else if(o===2001)p=-a/(a-i),m=-a*i/(a-i);else throw Error(`THREE.Matrix4.makePerspective(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,r,i,a,o=_a,s=!1){let c=this.elements,l=2/(t-e),u=2/(n-r),d=-(t+e)/(t-e),f=-(n+r)/(n-r),p,m;if(s)p=1/(a-i),m=a/(a-i);else if(o===2e3)p=-2/(a-i),m=-(a+i)/(a-i);else if(o===2001)p=-1/(a-i),m=-i/(a-i);else throw Error(`THREE.Matrix4.makeOrthographic(): Invalid coordinate system: `+o);return c[0]=l,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=m,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let e=0;e<16;e++)if(t[e]!==n[e])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},lo=new G,uo=new co,fo=new G(0,0,0),po=new G(1,1,1),mo=new G,ho=new G,go=new G,_o=new co,vo=new Ba,yo=class e{constructor(t=0,n=0,r=0,i=e.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=n,this._z=r,this._order=i}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,r=this._order){return this._x=e,this._y=t,this._z=n,this._order=r,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let r=e.elements,i=r[0],a=r[4],o=r[8],s=r[1],c=r[5],l=r[9],u=r[2],d=r[6],f=r[10];switch(t){case`XYZ`:this._y=Math.asin(W(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(-l,f),this._z=Math.atan2(-a,i)):(this._x=Math.atan2(d,c),this._z=0);break;case`YXZ`:this._x=Math.asin(-W(l,-1,1)),Math.abs(l)<.9999999?(this._y=Math.atan2(o,f),this._z=Math.atan2(s,c)):(this._y=Math.atan2(-u,i),this._z=0);break;case`ZXY`:this._x=Math.asin(W(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-a,c)):(this._y=0,this._z=Math.atan2(s,i));break;case`ZYX`:this._y=Math.asin(-W(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(s,i)):(this._x=0,this._z=Math.atan2(-a,c));break;case`YZX`:this._z=Math.asin(W(s,-1,1)),Math.abs(s)<.9999999?(this._x=Math.atan2(-l,c),this._y=Math.atan2(-u,i)):(this._x=0,this._y=Math.atan2(o,f));break;case`XZY`:this._z=Math.asin(-W(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(o,i)):(this._x=Math.atan2(-l,f),this._y=0);break;default:H(`Euler: .setFromRotationMatrix() encountered an unknown order: `+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return _o.makeRotationFromQuaternion(e),this.setFromRotationMatrix(_o,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return vo.setFromEuler(this),this.setFromQuaternion(vo,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};yo.DEFAULT_ORDER=`XYZ`;var bo=class{constructor(){this.mask=1}set(e){this.mask=1<<e>>>0}enable(e){this.mask|=1<<e}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e}disable(e){this.mask&=~(1<<e)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return!!(this.mask&1<<e)}},xo=0,So=new G,Co=new Ba,wo=new co,To=new G,Eo=new G,Do=new G,Oo=new Ba,ko=new G(1,0,0),Ao=new G(0,1,0),jo=new G(0,0,1),Mo={type:`added`},No={type:`removed`},Po={type:`childadded`,child:null},Fo={type:`childremoved`,child:null},Io=class e extends Oa{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:xo++}),this.uuid=Ma(),this.name=``,this.type=`Object3D`,this.parent=null,this.children=[],this.up=e.DEFAULT_UP.clone();let t=new G,n=new yo,r=new Ba,i=new G(1,1,1);function a(){r.setFromEuler(n,!1)}function o(){n.setFromQuaternion(r,void 0,!1)}n._onChange(a),r._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:n},quaternion:{configurable:!0,enumerable:!0,value:r},scale:{configurable:!0,enumerable:!0,value:i},modelViewMatrix:{value:new co},normalMatrix:{value:new K}}),this.matrix=new co,this.matrixWorld=new co,this.matrixAutoUpdate=e.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=e.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new bo,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return Co.setFromAxisAngle(e,t),this.quaternion.multiply(Co),this}rotateOnWorldAxis(e,t){return Co.setFromAxisAngle(e,t),this.quaternion.premultiply(Co),this}rotateX(e){return this.rotateOnAxis(ko,e)}rotateY(e){return this.rotateOnAxis(Ao,e)}rotateZ(e){return this.rotateOnAxis(jo,e)}translateOnAxis(e,t){return So.copy(e).applyQuaternion(this.quaternion),this.position.add(So.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(ko,e)}translateY(e){return this.translateOnAxis(Ao,e)}translateZ(e){return this.translateOnAxis(jo,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(wo.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?To.copy(e):To.set(e,t,n);let r=this.parent;this.updateWorldMatrix(!0,!1),Eo.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?wo.lookAt(Eo,To,this.up):wo.lookAt(To,Eo,this.up),this.quaternion.setFromRotationMatrix(wo),r&&(wo.extractRotation(r.matrixWorld),Co.setFromRotationMatrix(wo),this.quaternion.premultiply(Co.invert()))}add(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return e===this?(U(`Object3D.add: object can't be added as a child of itself.`,e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(Mo),Po.child=e,this.dispatchEvent(Po),Po.child=null):U(`Object3D.add: object not an instance of THREE.Object3D.`,e),this)}remove(e){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.remove(arguments[e]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(No),Fo.child=e,this.dispatchEvent(Fo),Fo.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),wo.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),wo.multiply(e.parent.matrixWorld)),e.applyMatrix4(wo),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(Mo),Po.child=e,this.dispatchEvent(Po),Po.child=null,this}getObjectById(e){return this.getObjectByProperty(`id`,e)}getObjectByName(e){return this.getObjectByProperty(`name`,e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,r=this.children.length;n<r;n++){let r=this.children[n].getObjectByProperty(e,t);if(r!==void 0)return r}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let r=this.children;for(let i=0,a=r.length;i<a;i++)r[i].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Eo,e,Do),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Eo,Oo,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,r=e.z,i=this.matrix.elements;i[12]+=t-i[0]*t-i[4]*n-i[8]*r,i[13]+=n-i[1]*t-i[5]*n-i[9]*r,i[14]+=r-i[2]*t-i[6]*n-i[10]*r}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,r=t.length;n<r;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let r=this.parent;if(e===!0&&r!==null&&r.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let e=this.children;for(let t=0,r=e.length;t<r;t++)e[t].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e==`string`,n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:`Object`,generator:`Object3D.toJSON`});let r={};r.uuid=this.uuid,r.type=this.type,r.name=this.name,r.castShadow=this.castShadow,r.receiveShadow=this.receiveShadow,r.visible=this.visible,r.frustumCulled=this.frustumCulled,r.renderOrder=this.renderOrder,r.static=this.static,r.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(r.userData=this.userData),r.layers=this.layers.mask,r.matrix=this.matrix.toArray(),r.up=this.up.toArray(),this.pivot!==null&&(r.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(r.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(r.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(r.type=`InstancedMesh`,r.count=this.count,r.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(r.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(r.type=`BatchedMesh`,r.perObjectFrustumCulled=this.perObjectFrustumCulled,r.sortObjects=this.sortObjects,r.drawRanges=this._drawRanges,r.reservedRanges=this._reservedRanges,r.geometryInfo=this._geometryInfo.map(e=>({...e,boundingBox:e.boundingBox?e.boundingBox.toJSON():void 0,boundingSphere:e.boundingSphere?e.boundingSphere.toJSON():void 0})),r.instanceInfo=this._instanceInfo.map(e=>({...e})),r.availableInstanceIds=this._availableInstanceIds.slice(),r.availableGeometryIds=this._availableGeometryIds.slice(),r.nextIndexStart=this._nextIndexStart,r.nextVertexStart=this._nextVertexStart,r.geometryCount=this._geometryCount,r.maxInstanceCount=this._maxInstanceCount,r.maxVertexCount=this._maxVertexCount,r.maxIndexCount=this._maxIndexCount,r.geometryInitialized=this._geometryInitialized,r.matricesTexture=this._matricesTexture.toJSON(e),r.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(r.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(r.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(r.boundingBox=this.boundingBox.toJSON()));function i(t,n){return t[n.uuid]===void 0&&(t[n.uuid]=n.toJSON(e)),n.uuid}if(this.isScene)this.background&&(this.background.isColor?r.background=this.background.toJSON():this.background.isTexture&&(r.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(r.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){r.geometry=i(e.geometries,this.geometry);let t=this.geometry.parameters;if(t!==void 0&&t.shapes!==void 0){let n=t.shapes;if(Array.isArray(n))for(let t=0,r=n.length;t<r;t++){let r=n[t];i(e.shapes,r)}else i(e.shapes,n)}}if(this.isSkinnedMesh&&(r.bindMode=this.bindMode,r.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(i(e.skeletons,this.skeleton),r.skeleton=this.skeleton.uuid)),this.material!==void 0){if(Array.isArray(this.material)){let t=[];for(let n=0,r=this.material.length;n<r;n++)t.push(i(e.materials,this.material[n]));r.material=t}else r.material=i(e.materials,this.material)}if(this.children.length>0){r.children=[];for(let t=0;t<this.children.length;t++)r.children.push(this.children[t].toJSON(e).object)}if(this.animations.length>0){r.animations=[];for(let t=0;t<this.animations.length;t++){let n=this.animations[t];r.animations.push(i(e.animations,n))}}if(t){let t=a(e.geometries),r=a(e.materials),i=a(e.textures),o=a(e.images),s=a(e.shapes),c=a(e.skeletons),l=a(e.animations),u=a(e.nodes);t.length>0&&(n.geometries=t),r.length>0&&(n.materials=r),i.length>0&&(n.textures=i),o.length>0&&(n.images=o),s.length>0&&(n.shapes=s),c.length>0&&(n.skeletons=c),l.length>0&&(n.animations=l),u.length>0&&(n.nodes=u)}return n.object=r,n;function a(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot===null?null:e.pivot.clone(),this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let t=0;t<e.children.length;t++){let n=e.children[t];this.add(n.clone())}return this}dispose(){this.dispatchEvent({type:`dispose`})}};Io.DEFAULT_UP=new G(0,1,0),Io.DEFAULT_MATRIX_AUTO_UPDATE=!0,Io.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Lo=class extends Io{constructor(){super(),this.isGroup=!0,this.type=`Group`}},Ro={type:`move`},zo=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Lo,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Lo,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new G,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new G),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Lo,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new G,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new G,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:`connected`,data:e}),this}disconnect(e){return this.dispatchEvent({type:`disconnected`,data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let r=null,i=null,a=null,o=this._targetRay,s=this._grip,c=this._hand;if(e&&t.session.visibilityState!==`visible-blurred`){if(c&&e.hand){a=!0;for(let r of e.hand.values()){let e=t.getJointPose(r,n),i=this._getHandJoint(c,r);e!==null&&(i.matrix.fromArray(e.transform.matrix),i.matrix.decompose(i.position,i.quaternion,i.scale),i.matrixWorldNeedsUpdate=!0,i.jointRadius=e.radius),i.visible=e!==null}let r=c.joints[`index-finger-tip`],i=c.joints[`thumb-tip`],o=r.position.distanceTo(i.position);c.inputState.pinching&&o>.025?(c.inputState.pinching=!1,this.dispatchEvent({type:`pinchend`,handedness:e.handedness,target:this})):!c.inputState.pinching&&o<=.015&&(c.inputState.pinching=!0,this.dispatchEvent({type:`pinchstart`,handedness:e.handedness,target:this}))}else s!==null&&e.gripSpace&&(i=t.getPose(e.gripSpace,n),i!==null&&(s.matrix.fromArray(i.transform.matrix),s.matrix.decompose(s.position,s.quaternion,s.scale),s.matrixWorldNeedsUpdate=!0,i.linearVelocity?(s.hasLinearVelocity=!0,s.linearVelocity.copy(i.linearVelocity)):s.hasLinearVelocity=!1,i.angularVelocity?(s.hasAngularVelocity=!0,s.angularVelocity.copy(i.angularVelocity)):s.hasAngularVelocity=!1,s.eventsEnabled&&s.dispatchEvent({type:`gripUpdated`,data:e,target:this})));o!==null&&(r=t.getPose(e.targetRaySpace,n),r===null&&i!==null&&(r=i),r!==null&&(o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.matrixWorldNeedsUpdate=!0,r.linearVelocity?(o.hasLinearVelocity=!0,o.linearVelocity.copy(r.linearVelocity)):o.hasLinearVelocity=!1,r.angularVelocity?(o.hasAngularVelocity=!0,o.angularVelocity.copy(r.angularVelocity)):o.hasAngularVelocity=!1,this.dispatchEvent(Ro)))}return o!==null&&(o.visible=r!==null),s!==null&&(s.visible=i!==null),c!==null&&(c.visible=a!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new Lo;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},Bo={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Vo={h:0,s:0,l:0},Ho={h:0,s:0,l:0};function Uo(e,t,n){return n<0&&(n+=1),n>1&&--n,n<1/6?e+(t-e)*6*n:n<1/2?t:n<2/3?e+(t-e)*6*(2/3-n):e}var J=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let t=e;t&&t.isColor?this.copy(t):typeof t==`number`?this.setHex(t):typeof t==`string`&&this.setStyle(t)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=ua){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,q.colorSpaceToWorking(this,t),this}setRGB(e,t,n,r=q.workingColorSpace){return this.r=e,this.g=t,this.b=n,q.colorSpaceToWorking(this,r),this}setHSL(e,t,n,r=q.workingColorSpace){if(e=Na(e,1),t=W(t,0,1),n=W(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,i=2*n-r;this.r=Uo(i,r,e+1/3),this.g=Uo(i,r,e),this.b=Uo(i,r,e-1/3)}return q.colorSpaceToWorking(this,r),this}setStyle(e,t=ua){function n(t){t!==void 0&&parseFloat(t)<1&&H(`Color: Alpha component of `+e+` will be ignored.`)}let r;if(r=/^(\w+)\(([^\)]*)\)/.exec(e)){let i,a=r[1],o=r[2];switch(a){case`rgb`:case`rgba`:if(i=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(255,parseInt(i[1],10))/255,Math.min(255,parseInt(i[2],10))/255,Math.min(255,parseInt(i[3],10))/255,t);if(i=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setRGB(Math.min(100,parseFloat(i[1]))/100,Math.min(100,parseFloat(i[2]))/100,Math.min(100,parseFloat(i[3]))/100,t);break;case`hsl`:case`hsla`:if(i=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(o))return n(i[4]),this.setHSL(parseFloat(i[1])/360,parseFloat(i[2])/100,parseFloat(i[3])/100,t);break;default:H(`Color: Unknown color model `+e)}}else if(r=/^\#([A-Fa-f\d]+)$/.exec(e)){let n=r[1],i=n.length;if(i===3)return this.setRGB(parseInt(n.charAt(0),16)/15,parseInt(n.charAt(1),16)/15,parseInt(n.charAt(2),16)/15,t);if(i===6)return this.setHex(parseInt(n,16),t);H(`Color: Invalid hex color `+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=ua){let n=Bo[e.toLowerCase()];return n===void 0?H(`Color: Unknown color `+e):this.setHex(n,t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=qa(e.r),this.g=qa(e.g),this.b=qa(e.b),this}copyLinearToSRGB(e){return this.r=Ja(e.r),this.g=Ja(e.g),this.b=Ja(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=ua){return q.workingToColorSpace(Wo.copy(this),e),Math.round(W(Wo.r*255,0,255))*65536+Math.round(W(Wo.g*255,0,255))*256+Math.round(W(Wo.b*255,0,255))}getHexString(e=ua){return(`000000`+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=q.workingColorSpace){q.workingToColorSpace(Wo.copy(this),t);let n=Wo.r,r=Wo.g,i=Wo.b,a=Math.max(n,r,i),o=Math.min(n,r,i),s,c,l=(o+a)/2;if(o===a)s=0,c=0;else{let e=a-o;switch(c=l<=.5?e/(a+o):e/(2-a-o),a){case n:s=(r-i)/e+(r<i?6:0);break;case r:s=(i-n)/e+2;break;case i:s=(n-r)/e+4}s/=6}return e.h=s,e.s=c,e.l=l,e}getRGB(e,t=q.workingColorSpace){return q.workingToColorSpace(Wo.copy(this),t),e.r=Wo.r,e.g=Wo.g,e.b=Wo.b,e}getStyle(e=ua){q.workingToColorSpace(Wo.copy(this),e);let t=Wo.r,n=Wo.g,r=Wo.b;return e===`srgb`?`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(r*255)})`:`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${r.toFixed(3)})`}offsetHSL(e,t,n){return this.getHSL(Vo),this.setHSL(Vo.h+e,Vo.s+t,Vo.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(Vo),e.getHSL(Ho);let n=Pa(Vo.h,Ho.h,t),r=Pa(Vo.s,Ho.s,t),i=Pa(Vo.l,Ho.l,t);return this.setHSL(n,r,i),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,r=this.b,i=e.elements;return this.r=i[0]*t+i[3]*n+i[6]*r,this.g=i[1]*t+i[4]*n+i[7]*r,this.b=i[2]*t+i[5]*n+i[8]*r,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Wo=new J;J.NAMES=Bo;var Go=class extends Io{constructor(){super(),this.isScene=!0,this.type=`Scene`,this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new yo,this.environmentIntensity=1,this.environmentRotation=new yo,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background===null?null:e.background.clone(),this.environment=e.environment===null?null:e.environment.clone(),this.fog=e.fog===null?null:e.fog.clone(),this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial===null?null:e.overrideMaterial.clone(),this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},Ko=new G,qo=new G,Jo=new G,Yo=new G,Xo=new G,Zo=new G,Qo=new G,$o=new G,es=new G,ts=new G,ns=new ro,rs=new ro,is=new ro,as=class e{constructor(e=new G,t=new G,n=new G){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,r){r.subVectors(n,t),Ko.subVectors(e,t),r.cross(Ko);let i=r.lengthSq();return i>0?r.multiplyScalar(1/Math.sqrt(i)):r.set(0,0,0)}static getBarycoord(e,t,n,r,i){Ko.subVectors(r,t),qo.subVectors(n,t),Jo.subVectors(e,t);let a=Ko.dot(Ko),o=Ko.dot(qo),s=Ko.dot(Jo),c=qo.dot(qo),l=qo.dot(Jo),u=a*c-o*o;if(u===0)return i.set(0,0,0),null;let d=1/u,f=(c*s-o*l)*d,p=(a*l-o*s)*d;return i.set(1-f-p,p,f)}static containsPoint(e,t,n,r){return this.getBarycoord(e,t,n,r,Yo)!==null&&Yo.x>=0&&Yo.y>=0&&Yo.x+Yo.y<=1}static getInterpolation(e,t,n,r,i,a,o,s){return this.getBarycoord(e,t,n,r,Yo)===null?(s.x=0,s.y=0,`z`in s&&(s.z=0),`w`in s&&(s.w=0),null):(s.setScalar(0),s.addScaledVector(i,Yo.x),s.addScaledVector(a,Yo.y),s.addScaledVector(o,Yo.z),s)}static getInterpolatedAttribute(e,t,n,r,i,a){return ns.setScalar(0),rs.setScalar(0),is.setScalar(0),ns.fromBufferAttribute(e,t),rs.fromBufferAttribute(e,n),is.fromBufferAttribute(e,r),a.setScalar(0),a.addScaledVector(ns,i.x),a.addScaledVector(rs,i.y),a.addScaledVector(is,i.z),a}static isFrontFacing(e,t,n,r){return Ko.subVectors(n,t),qo.subVectors(e,t),Ko.cross(qo).dot(r)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,r){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[r]),this}setFromAttributeAndIndices(e,t,n,r){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,r),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Ko.subVectors(this.c,this.b),qo.subVectors(this.a,this.b),Ko.cross(qo).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return e.getNormal(this.a,this.b,this.c,t)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,n){return e.getBarycoord(t,this.a,this.b,this.c,n)}getInterpolation(t,n,r,i,a){return e.getInterpolation(t,this.a,this.b,this.c,n,r,i,a)}containsPoint(t){return e.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return e.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,r=this.b,i=this.c,a,o;Xo.subVectors(r,n),Zo.subVectors(i,n),$o.subVectors(e,n);let s=Xo.dot($o),c=Zo.dot($o);if(s<=0&&c<=0)return t.copy(n);es.subVectors(e,r);let l=Xo.dot(es),u=Zo.dot(es);if(l>=0&&u<=l)return t.copy(r);let d=s*u-l*c;if(d<=0&&s>=0&&l<=0&&s-l>0)return a=s/(s-l),t.copy(n).addScaledVector(Xo,a);ts.subVectors(e,i);let f=Xo.dot(ts),p=Zo.dot(ts);if(p>=0&&f<=p)return t.copy(i);let m=f*c-s*p;if(m<=0&&c>=0&&p<=0)return o=c/(c-p),t.copy(n).addScaledVector(Zo,o);let h=l*p-f*u;if(h<=0&&u-l>=0&&f-p>=0)return Qo.subVectors(i,r),o=(u-l)/(u-l+(f-p)),t.copy(r).addScaledVector(Qo,o);let g=1/(h+m+d);return a=m*g,o=d*g,t.copy(n).addScaledVector(Xo,a).addScaledVector(Zo,o)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},os=class{constructor(e=new G(1/0,1/0,1/0),t=new G(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(cs.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(cs.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=cs.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute(`position`);if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let t=0,n=r.count;t<n;t++)e.isMesh===!0?e.getVertexPosition(t,cs):cs.fromBufferAttribute(r,t),cs.applyMatrix4(e.matrixWorld),this.expandByPoint(cs);else e.boundingBox===void 0?(n.boundingBox===null&&n.computeBoundingBox(),ls.copy(n.boundingBox)):(e.boundingBox===null&&e.computeBoundingBox(),ls.copy(e.boundingBox)),ls.applyMatrix4(e.matrixWorld),this.union(ls)}let r=e.children;for(let e=0,n=r.length;e<n;e++)this.expandByObject(r[e],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,cs),cs.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(gs),_s.subVectors(this.max,gs),us.subVectors(e.a,gs),ds.subVectors(e.b,gs),fs.subVectors(e.c,gs),ps.subVectors(ds,us),ms.subVectors(fs,ds),hs.subVectors(us,fs);let t=[0,-ps.z,ps.y,0,-ms.z,ms.y,0,-hs.z,hs.y,ps.z,0,-ps.x,ms.z,0,-ms.x,hs.z,0,-hs.x,-ps.y,ps.x,0,-ms.y,ms.x,0,-hs.y,hs.x,0];return!bs(t,us,ds,fs,_s)||(t=[1,0,0,0,1,0,0,0,1],!bs(t,us,ds,fs,_s))?!1:(vs.crossVectors(ps,ms),t=[vs.x,vs.y,vs.z],bs(t,us,ds,fs,_s))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,cs).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(cs).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()||(ss[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),ss[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),ss[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),ss[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),ss[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),ss[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),ss[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),ss[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(ss)),this}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},ss=[new G,new G,new G,new G,new G,new G,new G,new G],cs=new G,ls=new os,us=new G,ds=new G,fs=new G,ps=new G,ms=new G,hs=new G,gs=new G,_s=new G,vs=new G,ys=new G;function bs(e,t,n,r,i){for(let a=0,o=e.length-3;a<=o;a+=3){ys.fromArray(e,a);let o=i.x*Math.abs(ys.x)+i.y*Math.abs(ys.y)+i.z*Math.abs(ys.z),s=t.dot(ys),c=n.dot(ys),l=r.dot(ys);if(Math.max(-Math.max(s,c,l),Math.min(s,c,l))>o)return!1}return!0}var xs=new G,Ss=new za,Cs=0,ws=class extends Oa{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw TypeError(`THREE.BufferAttribute: array should be a Typed Array.`);this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:Cs++}),this.name=``,this.array=e,this.itemSize=t,this.count=e===void 0?0:e.length/t,this.normalized=n,this.usage=ha,this.updateRanges=[],this.gpuType=ri,this.version=0,this._normalizationScale=e===void 0?void 0:Ia(e)}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let r=0,i=this.itemSize;r<i;r++)this.array[e+r]=t.array[n+r];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Ss.fromBufferAttribute(this,t),Ss.applyMatrix3(e),this.setXY(t,Ss.x,Ss.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)xs.fromBufferAttribute(this,t),xs.applyMatrix3(e),this.setXYZ(t,xs.x,xs.y,xs.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)xs.fromBufferAttribute(this,t),xs.applyMatrix4(e),this.setXYZ(t,xs.x,xs.y,xs.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)xs.fromBufferAttribute(this,t),xs.applyNormalMatrix(e),this.setXYZ(t,xs.x,xs.y,xs.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)xs.fromBufferAttribute(this,t),xs.transformDirection(e),this.setXYZ(t,xs.x,xs.y,xs.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this}setXYZW(e,t,n,r,i){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),r=this._normalize(r),i=this._normalize(i)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=r,this.array[e+3]=i,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:`dispose`})}_denormalize(e){let t=this._normalizationScale;return t===void 0?La(e,this.array):Math.max(e/t,-1)}_normalize(e){let t=this._normalizationScale;return t===void 0?Ra(e,this.array):Math.round(e*t)}},Ts=class extends ws{constructor(e,t,n){super(new Uint16Array(e),t,n)}},Es=class extends ws{constructor(e,t,n){super(new Uint32Array(e),t,n)}},Ds=class extends ws{constructor(e,t,n){super(new Float32Array(e),t,n)}},Os=new os,ks=new G,As=new G,js=class{constructor(e=new G,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t===void 0?Os.setFromPoints(e).getCenter(n):n.copy(t);let r=0;for(let t=0,i=e.length;t<i;t++)r=Math.max(r,n.distanceToSquared(e[t]));return this.radius=Math.sqrt(r),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius*=e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;ks.subVectors(e,this.center);let t=ks.lengthSq();if(t>this.radius*this.radius){let e=Math.sqrt(t),n=(e-this.radius)*.5;this.center.addScaledVector(ks,n/e),this.radius+=n}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(As.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(ks.copy(e.center).add(As)),this.expandByPoint(ks.copy(e.center).sub(As))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},Ms=0,Ns=new co,Ps=new Io,Fs=new G,Is=new os,Ls=new os,Rs=new G,zs=class e extends Oa{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:Ms++}),this.uuid=Ma(),this.name=``,this.type=`BufferGeometry`,this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return this.index=Array.isArray(e)?new(va(e)?Es:Ts)(e,1):e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let t=new K().getNormalMatrix(e);n.applyNormalMatrix(t),n.needsUpdate=!0}let r=this.attributes.tangent;return r!==void 0&&(r.transformDirection(e),r.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return Ns.makeRotationFromQuaternion(e),this.applyMatrix4(Ns),this}rotateX(e){return Ns.makeRotationX(e),this.applyMatrix4(Ns),this}rotateY(e){return Ns.makeRotationY(e),this.applyMatrix4(Ns),this}rotateZ(e){return Ns.makeRotationZ(e),this.applyMatrix4(Ns),this}translate(e,t,n){return Ns.makeTranslation(e,t,n),this.applyMatrix4(Ns),this}scale(e,t,n){return Ns.makeScale(e,t,n),this.applyMatrix4(Ns),this}lookAt(e){return Ps.lookAt(e),Ps.updateMatrix(),this.applyMatrix4(Ps.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Fs).negate(),this.translate(Fs.x,Fs.y,Fs.z),this}setFromPoints(e){let t=this.getAttribute(`position`);if(t===void 0){let t=[];for(let n=0,r=e.length;n<r;n++){let r=e[n];t.push(r.x,r.y,r.z||0)}this.setAttribute(`position`,new Ds(t,3))}else{let n=Math.min(e.length,t.count);for(let r=0;r<n;r++){let n=e[r];t.setXYZ(r,n.x,n.y,n.z||0)}e.length>t.count&&H(`BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry.`),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new os);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)U(`BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.`,this),this.boundingBox.set(new G(-1/0,-1/0,-1/0),new G(1/0,1/0,1/0));else{if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Is.setFromBufferAttribute(n),this.morphTargetsRelative?(Rs.addVectors(this.boundingBox.min,Is.min),this.boundingBox.expandByPoint(Rs),Rs.addVectors(this.boundingBox.max,Is.max),this.boundingBox.expandByPoint(Rs)):(this.boundingBox.expandByPoint(Is.min),this.boundingBox.expandByPoint(Is.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&U(`BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.`,this)}}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new js);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute)U(`BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.`,this),this.boundingSphere.set(new G,1/0);else if(e){let n=this.boundingSphere.center;if(Is.setFromBufferAttribute(e),t)for(let e=0,n=t.length;e<n;e++){let n=t[e];Ls.setFromBufferAttribute(n),this.morphTargetsRelative?(Rs.addVectors(Is.min,Ls.min),Is.expandByPoint(Rs),Rs.addVectors(Is.max,Ls.max),Is.expandByPoint(Rs)):(Is.expandByPoint(Ls.min),Is.expandByPoint(Ls.max))}Is.getCenter(n);let r=0;for(let t=0,i=e.count;t<i;t++)Rs.fromBufferAttribute(e,t),r=Math.max(r,n.distanceToSquared(Rs));if(t)for(let i=0,a=t.length;i<a;i++){let a=t[i],o=this.morphTargetsRelative;for(let t=0,i=a.count;t<i;t++)Rs.fromBufferAttribute(a,t),o&&(Fs.fromBufferAttribute(e,t),Rs.add(Fs)),r=Math.max(r,n.distanceToSquared(Rs))}this.boundingSphere.radius=Math.sqrt(r),isNaN(this.boundingSphere.radius)&&U(`BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.`,this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){U(`BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)`);return}let n=t.position,r=t.normal,i=t.uv,a=this.getAttribute(`tangent`);(a===void 0||a.count!==n.count)&&(a=new ws(new Float32Array(4*n.count),4),this.setAttribute(`tangent`,a));let o=[],s=[],c=new Uint8Array(n.count);for(let e=0;e<n.count;e++)o[e]=new G,s[e]=new G;let l=new G,u=new G,d=new G,f=new za,p=new za,m=new za,h=new G,g=new G;function _(e,t,r){c[e]=c[t]=c[r]=1,l.fromBufferAttribute(n,e),u.fromBufferAttribute(n,t),d.fromBufferAttribute(n,r),f.fromBufferAttribute(i,e),p.fromBufferAttribute(i,t),m.fromBufferAttribute(i,r),u.sub(l),d.sub(l),p.sub(f),m.sub(f);let a=1/(p.x*m.y-m.x*p.y);isFinite(a)&&(h.copy(u).multiplyScalar(m.y).addScaledVector(d,-p.y).multiplyScalar(a),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-m.x).multiplyScalar(a),o[e].add(h),o[t].add(h),o[r].add(h),s[e].add(g),s[t].add(g),s[r].add(g))}let v=this.groups;v.length===0&&(v=[{start:0,count:e.count}]);for(let t=0,n=v.length;t<n;++t){let n=v[t],r=n.start,i=n.count;for(let t=r,n=r+i;t<n;t+=3)_(e.getX(t+0),e.getX(t+1),e.getX(t+2))}let y=new G,b=new G,x=new G,S=new G;function C(e){x.fromBufferAttribute(r,e),S.copy(x);let t=o[e];y.copy(t),y.sub(x.multiplyScalar(x.dot(t))).normalize(),b.crossVectors(S,t);let n=b.dot(s[e])<0?-1:1;a.setXYZW(e,y.x,y.y,y.z,n)}for(let e=0,t=n.count;e<t;++e)c[e]&&C(e);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute(`position`);if(t!==void 0){let n=this.getAttribute(`normal`);if(n===void 0||n.count!==t.count)n=new ws(new Float32Array(t.count*3),3),this.setAttribute(`normal`,n);else for(let e=0,t=n.count;e<t;e++)n.setXYZ(e,0,0,0);let r=new G,i=new G,a=new G,o=new G,s=new G,c=new G,l=new G,u=new G;if(e)for(let d=0,f=e.count;d<f;d+=3){let f=e.getX(d+0),p=e.getX(d+1),m=e.getX(d+2);r.fromBufferAttribute(t,f),i.fromBufferAttribute(t,p),a.fromBufferAttribute(t,m),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),o.fromBufferAttribute(n,f),s.fromBufferAttribute(n,p),c.fromBufferAttribute(n,m),o.add(l),s.add(l),c.add(l),n.setXYZ(f,o.x,o.y,o.z),n.setXYZ(p,s.x,s.y,s.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let e=0,o=t.count;e<o;e+=3)r.fromBufferAttribute(t,e+0),i.fromBufferAttribute(t,e+1),a.fromBufferAttribute(t,e+2),l.subVectors(a,i),u.subVectors(r,i),l.cross(u),n.setXYZ(e+0,l.x,l.y,l.z),n.setXYZ(e+1,l.x,l.y,l.z),n.setXYZ(e+2,l.x,l.y,l.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Rs.fromBufferAttribute(e,t),Rs.normalize(),e.setXYZ(t,Rs.x,Rs.y,Rs.z)}toNonIndexed(){function t(e,t){let n=e.array,r=e.itemSize,i=e.normalized,a=new n.constructor(t.length*r),o=0,s=0;for(let i=0,c=t.length;i<c;i++){o=e.isInterleavedBufferAttribute?t[i]*e.data.stride+e.offset:t[i]*r;for(let e=0;e<r;e++)a[s++]=n[o++]}return new ws(a,r,i)}if(this.index===null)return H(`BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed.`),this;let n=new e,r=this.index.array,i=this.attributes;for(let e in i){let a=i[e],o=t(a,r);n.setAttribute(e,o)}let a=this.morphAttributes;for(let e in a){let i=[],o=a[e];for(let e=0,n=o.length;e<n;e++){let n=o[e],a=t(n,r);i.push(a)}n.morphAttributes[e]=i}n.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let e=0,t=o.length;e<t;e++){let t=o[e];n.addGroup(t.start,t.count,t.materialIndex)}return n}toJSON(){let e={metadata:{version:4.7,type:`BufferGeometry`,generator:`BufferGeometry.toJSON`}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?`BufferGeometry`:this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let t=this.parameters;for(let n in t)t[n]!==void 0&&(e[n]=t[n]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let t in n){let r=n[t];e.data.attributes[t]=r.toJSON(e.data)}let r={},i=!1;for(let t in this.morphAttributes){let n=this.morphAttributes[t],a=[];for(let t=0,r=n.length;t<r;t++){let r=n[t];a.push(r.toJSON(e.data))}a.length>0&&(r[t]=a,i=!0)}i&&(e.data.morphAttributes=r,e.data.morphTargetsRelative=this.morphTargetsRelative);let a=this.groups;a.length>0&&(e.data.groups=JSON.parse(JSON.stringify(a)));let o=this.boundingSphere;return o!==null&&(e.data.boundingSphere=o.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let r=e.attributes;for(let e in r){let n=r[e];this.setAttribute(e,n.clone(t))}let i=e.morphAttributes;for(let e in i){let n=[],r=i[e];for(let e=0,i=r.length;e<i;e++)n.push(r[e].clone(t));this.morphAttributes[e]=n}this.morphTargetsRelative=e.morphTargetsRelative;let a=e.groups;for(let e=0,t=a.length;e<t;e++){let t=a[e];this.addGroup(t.start,t.count,t.materialIndex)}let o=e.boundingBox;o!==null&&(this.boundingBox=o.clone());let s=e.boundingSphere;return s!==null&&(this.boundingSphere=s.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:`dispose`})}},Bs=new G,Vs=new G,Hs=new K,Us=class{constructor(e=new G(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,r){return this.normal.set(e,t,n),this.constant=r,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let r=Bs.subVectors(n,t).cross(Vs.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(r,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let r=e.delta(Bs),i=this.normal.dot(r);if(i===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let a=-(e.start.dot(this.normal)+this.constant)/i;return n===!0&&(a<0||a>1)?null:t.copy(e.start).addScaledVector(r,a)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||Hs.getNormalMatrix(e),r=this.coplanarPoint(Bs).applyMatrix4(e),i=this.normal.applyMatrix3(n).normalize();return this.constant=-r.dot(i),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},Ws=0,Gs=class extends Oa{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:Ws++}),this.uuid=Ma(),this.name=``,this.type=`Material`,this.blending=1,this.side=0,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=204,this.blendDst=205,this.blendEquation=100,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new J(0,0,0),this.blendAlpha=0,this.depthFunc=3,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=519,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=ma,this.stencilZFail=ma,this.stencilZPass=ma,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){H(`Material: parameter '${t}' has value of undefined.`);continue}let r=this[t];r===void 0?H(`Material: '${t}' is not a property of THREE.${this.type}.`):r&&r.isColor?r.set(n):r&&r.isVector2&&n&&n.isVector2||r&&r.isEuler&&n&&n.isEuler||r&&r.isVector3&&n&&n.isVector3?r.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e==`string`;t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:`Material`,generator:`Material.toJSON`}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(e=>e.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function r(e){let t=[];for(let n in e){let r=e[n];delete r.metadata,t.push(r)}return t}if(t){let t=r(e.textures),i=r(e.images);t.length>0&&(n.textures=t),i.length>0&&(n.images=i)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new J().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(e=>new Us().fromJSON(e))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(this.vertexColors=typeof e.vertexColors==`number`?e.vertexColors>0:e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let t=e.normalScale;Array.isArray(t)===!1&&(t=[t,t]),this.normalScale=new za().fromArray(t)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new za().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let e=t.length;n=Array(e);for(let r=0;r!==e;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:`dispose`})}set needsUpdate(e){e===!0&&this.version++}},Ks=new G,qs=new G,Js=new G,Ys=new G,Xs=class{constructor(e=new G,t=new G(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,Ks)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=Ks.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(Ks.copy(this.origin).addScaledVector(this.direction,t),Ks.distanceToSquared(e))}distanceSqToSegment(e,t,n,r){qs.copy(e).add(t).multiplyScalar(.5),Js.copy(t).sub(e).normalize(),Ys.copy(this.origin).sub(qs);let i=e.distanceTo(t)*.5,a=-this.direction.dot(Js),o=Ys.dot(this.direction),s=-Ys.dot(Js),c=Ys.lengthSq(),l=Math.abs(1-a*a),u,d,f,p;if(l>0){if(u=a*s-o,d=a*o-s,p=i*l,u>=0){if(d>=-p){if(d<=p){let e=1/l;u*=e,d*=e,f=u*(u+a*d+2*o)+d*(a*u+d+2*s)+c}else d=i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d=-i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c}else d<=-p?(u=Math.max(0,-(-a*i+o)),d=u>0?-i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c):d<=p?(u=0,d=Math.min(Math.max(-i,-s),i),f=d*(d+2*s)+c):(u=Math.max(0,-(a*i+o)),d=u>0?i:Math.min(Math.max(-i,-s),i),f=-u*u+d*(d+2*s)+c)}else d=a>0?-i:i,u=Math.max(0,-(a*d+o)),f=-u*u+d*(d+2*s)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),r&&r.copy(qs).addScaledVector(Js,d),f}intersectSphere(e,t){if(e.radius<0)return null;Ks.subVectors(e.center,this.origin);let n=Ks.dot(this.direction),r=Ks.dot(Ks)-n*n,i=e.radius*e.radius;if(r>i)return null;let a=Math.sqrt(i-r),o=n-a,s=n+a;return s<0?null:o<0?this.at(s,t):this.at(o,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,r,i,a,o,s,c=1/this.direction.x,l=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,r=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,r=(e.min.x-d.x)*c),l>=0?(i=(e.min.y-d.y)*l,a=(e.max.y-d.y)*l):(i=(e.max.y-d.y)*l,a=(e.min.y-d.y)*l),n>a||i>r||((i>n||isNaN(n))&&(n=i),(a<r||isNaN(r))&&(r=a),u>=0?(o=(e.min.z-d.z)*u,s=(e.max.z-d.z)*u):(o=(e.max.z-d.z)*u,s=(e.min.z-d.z)*u),n>s||o>r)||((o>n||n!==n)&&(n=o),(s<r||r!==r)&&(r=s),r<0)?null:this.at(n>=0?n:r,t)}intersectsBox(e){return this.intersectBox(e,Ks)!==null}intersectTriangle(e,t,n,r,i){let a=this.origin,o=this.direction,s=o.x,c=o.y,l=o.z,u=e.x-a.x,d=e.y-a.y,f=e.z-a.z,p=t.x-a.x,m=t.y-a.y,h=t.z-a.z,g=n.x-a.x,_=n.y-a.y,v=n.z-a.z,y=Math.abs(s),b=Math.abs(c),x=Math.abs(l),S,C,w,T,E,D,O,k,A,j,ee,M;if(y>=b&&y>=x?(w=s,D=u,A=p,M=g,s>=0?(S=c,C=l,T=d,E=f,O=m,k=h,j=_,ee=v):(S=l,C=c,T=f,E=d,O=h,k=m,j=v,ee=_)):b>=x?(w=c,D=d,A=m,M=_,c>=0?(S=l,C=s,T=f,E=u,O=h,k=p,j=v,ee=g):(S=s,C=l,T=u,E=f,O=p,k=h,j=g,ee=v)):(w=l,D=f,A=h,M=v,l>=0?(S=s,C=c,T=u,E=d,O=p,k=m,j=g,ee=_):(S=c,C=s,T=d,E=u,O=m,k=p,j=_,ee=g)),w===0)return null;let te=S/w,ne=C/w,re=1/w,ie=T-te*D,ae=E-ne*D,oe=O-te*A,se=k-ne*A,ce=j-te*M,le=ee-ne*M,N=ce*se-le*oe,ue=ie*le-ae*ce,P=oe*ae-se*ie;if(r){if(N<0||ue<0||P<0)return null}else if((N<0||ue<0||P<0)&&(N>0||ue>0||P>0))return null;let F=N+ue+P;if(F===0)return null;let de=re*(N*D+ue*A+P*M);return(F>0?de<0:de>0)?null:this.at(de/F,i)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Zs=class extends Gs{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type=`MeshBasicMaterial`,this.color=new J(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new yo,this.combine=0,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap=`round`,this.wireframeLinejoin=`round`,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},Qs=new co,$s=new Xs,ec=new js,tc=new G,nc=new G,rc=new G,ic=new G,ac=new G,oc=new G,sc=new G,cc=new G,lc=class extends Io{constructor(e=new zs,t=new Zs){super(),this.isMesh=!0,this.type=`Mesh`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}getVertexPosition(e,t){let n=this.geometry,r=n.attributes.position,i=n.morphAttributes.position,a=n.morphTargetsRelative;t.fromBufferAttribute(r,e);let o=this.morphTargetInfluences;if(i&&o){oc.set(0,0,0);for(let n=0,r=i.length;n<r;n++){let r=o[n],s=i[n];r!==0&&(ac.fromBufferAttribute(s,e),a?oc.addScaledVector(ac,r):oc.addScaledVector(ac.sub(t),r))}t.add(oc)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.material,i=this.matrixWorld;r!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),ec.copy(n.boundingSphere),ec.applyMatrix4(i),$s.copy(e.ray).recast(e.near),!(ec.containsPoint($s.origin)===!1&&($s.intersectSphere(ec,tc)===null||$s.origin.distanceToSquared(tc)>(e.far-e.near)**2))&&(Qs.copy(i).invert(),$s.copy(e.ray).applyMatrix4(Qs),(n.boundingBox===null||$s.intersectsBox(n.boundingBox)!==!1)&&this._computeIntersections(e,t,$s)))}_computeIntersections(e,t,n){let r,i=this.geometry,a=this.material,o=i.index,s=i.attributes.position,c=i.attributes.uv,l=i.attributes.uv1,u=i.attributes.normal,d=i.groups,f=i.drawRange;if(o!==null){if(Array.isArray(a))for(let i=0,s=d.length;i<s;i++){let s=d[i],p=a[s.materialIndex],m=Math.max(s.start,f.start),h=Math.min(o.count,Math.min(s.start+s.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=o.getX(i),d=o.getX(i+1),f=o.getX(i+2);r=dc(this,p,e,n,c,l,u,a,d,f),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=s.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),s=Math.min(o.count,f.start+f.count);for(let d=i,f=s;d<f;d+=3){let i=o.getX(d),s=o.getX(d+1),f=o.getX(d+2);r=dc(this,a,e,n,c,l,u,i,s,f),r&&(r.faceIndex=Math.floor(d/3),t.push(r))}}}else if(s!==void 0){if(Array.isArray(a))for(let i=0,o=d.length;i<o;i++){let o=d[i],p=a[o.materialIndex],m=Math.max(o.start,f.start),h=Math.min(s.count,Math.min(o.start+o.count,f.start+f.count));for(let i=m,a=h;i<a;i+=3){let a=i,s=i+1,d=i+2;r=dc(this,p,e,n,c,l,u,a,s,d),r&&(r.faceIndex=Math.floor(i/3),r.face.materialIndex=o.materialIndex,t.push(r))}}else{let i=Math.max(0,f.start),o=Math.min(s.count,f.start+f.count);for(let s=i,d=o;s<d;s+=3){let i=s,o=s+1,d=s+2;r=dc(this,a,e,n,c,l,u,i,o,d),r&&(r.faceIndex=Math.floor(s/3),t.push(r))}}}}};function uc(e,t,n,r,i,a,o,s){let c;if(c=t.side===1?r.intersectTriangle(o,a,i,!0,s):r.intersectTriangle(i,a,o,t.side===0,s),c===null)return null;cc.copy(s),cc.applyMatrix4(e.matrixWorld);let l=n.ray.origin.distanceTo(cc);return l<n.near||l>n.far?null:{distance:l,point:cc.clone(),object:e}}function dc(e,t,n,r,i,a,o,s,c,l){e.getVertexPosition(s,nc),e.getVertexPosition(c,rc),e.getVertexPosition(l,ic);let u=uc(e,t,n,r,nc,rc,ic,sc);if(u){let e=new G;as.getBarycoord(sc,nc,rc,ic,e),i&&(u.uv=as.getInterpolatedAttribute(i,s,c,l,e,new za)),a&&(u.uv1=as.getInterpolatedAttribute(a,s,c,l,e,new za)),o&&(u.normal=as.getInterpolatedAttribute(o,s,c,l,e,new G),u.normal.dot(r.direction)>0&&u.normal.multiplyScalar(-1));let t={a:s,b:c,c:l,normal:new G,materialIndex:0};as.getNormal(nc,rc,ic,t.normal),u.face=t,u.barycoord=e}return u}var fc=class extends no{constructor(e=null,t=1,n=1,r,i,a,o,s,c=Gr,l=Gr,u,d){super(null,a,o,s,c,l,r,i,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},pc=class extends ws{constructor(e,t,n,r=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=r}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},mc=new co,hc=new co,gc=[],_c=new os,vc=new co,yc=new lc,bc=new js,xc=class extends lc{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new pc(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let e=0;e<n;e++)this.setMatrixAt(e,vc)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new os),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,mc),_c.copy(e.boundingBox).applyMatrix4(mc),this.boundingBox.union(_c)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new js),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,mc),bc.copy(e.boundingSphere).applyMatrix4(mc),this.boundingSphere.union(bc)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture===null?null:e.morphTexture.clone(),this.instanceColor=e.instanceColor===null?null:e.instanceColor.clone(),this.count=e.count,this.boundingBox=e.boundingBox===null?null:e.boundingBox.clone(),this.boundingSphere=e.boundingSphere===null?null:e.boundingSphere.clone(),this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,r=this.morphTexture.source.data.data,i=e*(n.length+1)+1;for(let e=0;e<n.length;e++)n[e]=r[i+e]}raycast(e,t){let n=this.matrixWorld,r=this.count;if(yc.geometry=this.geometry,yc.material=this.material,yc.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),bc.copy(this.boundingSphere),bc.applyMatrix4(n),e.ray.intersectsSphere(bc)!==!1))for(let i=0;i<r;i++){this.getMatrixAt(i,mc),hc.multiplyMatrices(n,mc),yc.matrixWorld=hc,yc.raycast(e,gc);for(let e=0,n=gc.length;e<n;e++){let n=gc[e];n.instanceId=i,n.object=this,t.push(n)}gc.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new pc(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,r=n.length+1;this.morphTexture===null&&(this.morphTexture=new fc(new Float32Array(r*this.count),r,this.count,hi,ri));let i=this.morphTexture.source.data.data,a=0;for(let e=0;e<n.length;e++)a+=n[e];let o=this.geometry.morphTargetsRelative?1:1-a,s=r*e;return i[s]=o,i.set(n,s+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Sc=new js,Cc=new za(.5,.5),wc=new G,Tc=class{constructor(e=new Us,t=new Us,n=new Us,r=new Us,i=new Us,a=new Us){this.planes=[e,t,n,r,i,a]}set(e,t,n,r,i,a){let o=this.planes;return o[0].copy(e),o[1].copy(t),o[2].copy(n),o[3].copy(r),o[4].copy(i),o[5].copy(a),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=_a,n=!1){let r=this.planes,i=e.elements,a=i[0],o=i[1],s=i[2],c=i[3],l=i[4],u=i[5],d=i[6],f=i[7],p=i[8],m=i[9],h=i[10],g=i[11],_=i[12],v=i[13],y=i[14],b=i[15];if(r[0].setComponents(c-a,f-l,g-p,b-_).normalize(),r[1].setComponents(c+a,f+l,g+p,b+_).normalize(),r[2].setComponents(c+o,f+u,g+m,b+v).normalize(),r[3].setComponents(c-o,f-u,g-m,b-v).normalize(),n)r[4].setComponents(s,d,h,y).normalize(),r[5].setComponents(c-s,f-d,g-h,b-y).normalize();else if(r[4].setComponents(c-s,f-d,g-h,b-y).normalize(),t===2e3)r[5].setComponents(c+s,f+d,g+h,b+y).normalize();else if(t===2001)r[5].setComponents(s,d,h,y).normalize();else throw Error(`THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: `+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),Sc.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),Sc.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(Sc)}intersectsSprite(e){return Sc.center.set(0,0,0),Sc.radius=.7071067811865476+Cc.distanceTo(e.center),Sc.applyMatrix4(e.matrixWorld),this.intersectsSphere(Sc)}intersectsSphere(e){let t=this.planes,n=e.center,r=-e.radius;for(let e=0;e<6;e++)if(t[e].distanceToPoint(n)<r)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let r=t[n];if(wc.x=r.normal.x>0?e.max.x:e.min.x,wc.y=r.normal.y>0?e.max.y:e.min.y,wc.z=r.normal.z>0?e.max.z:e.min.z,r.distanceToPoint(wc)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},Ec=new co,Dc=class e{constructor(){this.coordinateSystem=_a,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let e=0;e<t.length;e++){let r=t[e];Ec.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[e]===void 0&&(n[e]=new Tc),n[e].setFromProjectionMatrix(Ec,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let r=0;r<e._count;r++)t[r]===void 0&&(t[r]=new Tc),t[r].copy(n[r]);return this._count=e._count,this}clone(){return new e().copy(this)}},Oc=class extends Gs{constructor(e){super(),this.isPointsMaterial=!0,this.type=`PointsMaterial`,this.color=new J(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},kc=new co,Ac=new Xs,jc=new js,Mc=new G,Nc=class extends Io{constructor(e=new zs,t=new Oc){super(),this.isPoints=!0,this.type=`Points`,this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),this.morphTargetInfluences=e.morphTargetInfluences===void 0?void 0:e.morphTargetInfluences.slice(),this.morphTargetDictionary=e.morphTargetDictionary===void 0?void 0:Object.assign({},e.morphTargetDictionary),this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,r=this.matrixWorld,i=e.params.Points.threshold,a=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),jc.copy(n.boundingSphere),jc.applyMatrix4(r),jc.radius+=i,e.ray.intersectsSphere(jc)===!1)return;kc.copy(r).invert(),Ac.copy(e.ray).applyMatrix4(kc);let o=i/((this.scale.x+this.scale.y+this.scale.z)/3),s=o*o,c=n.index,l=n.attributes.position;if(c!==null){let n=Math.max(0,a.start),i=Math.min(c.count,a.start+a.count);for(let a=n,o=i;a<o;a++){let n=c.getX(a);Mc.fromBufferAttribute(l,n),Pc(Mc,n,s,r,e,t,this)}}else{let n=Math.max(0,a.start),i=Math.min(l.count,a.start+a.count);for(let a=n,o=i;a<o;a++)Mc.fromBufferAttribute(l,a),Pc(Mc,a,s,r,e,t,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,t=Object.keys(e);if(t.length>0){let n=e[t[0]];if(n!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let e=0,t=n.length;e<t;e++){let t=n[e].name||String(e);this.morphTargetInfluences.push(0),this.morphTargetDictionary[t]=e}}}}};function Pc(e,t,n,r,i,a,o){let s=Ac.distanceSqToPoint(e);if(s<n){let n=new G;Ac.closestPointToPoint(e,n),n.applyMatrix4(r);let c=i.ray.origin.distanceTo(n);if(c<i.near||c>i.far)return;a.push({distance:c,distanceToRay:Math.sqrt(s),point:n,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var Fc=class extends no{constructor(e=[],t=301,n,r,i,a,o,s,c,l){super(e,t,n,r,i,a,o,s,c,l),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},Ic=class extends no{constructor(e,t,n=ni,r,i,a,o=Gr,s=Gr,c,l=pi,u=1){if(l!==1026&&l!==1027)throw Error(`THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat`);super({width:e,height:t,depth:u},r,i,a,o,s,l,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new Qa(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Lc=class extends Ic{constructor(e,t=ni,n=301,r,i,a=Gr,o=Gr,s,c=pi){let l={width:e,height:e,depth:1},u=[l,l,l,l,l,l];super(e,e,t,n,r,i,a,o,s,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Rc=class extends no{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},zc=class e extends zs{constructor(e=1,t=1,n=1,r=1,i=1,a=1){super(),this.type=`BoxGeometry`,this.parameters={width:e,height:t,depth:n,widthSegments:r,heightSegments:i,depthSegments:a};let o=this;r=Math.floor(r),i=Math.floor(i),a=Math.floor(a);let s=[],c=[],l=[],u=[],d=0,f=0;p(`z`,`y`,`x`,-1,-1,n,t,e,a,i,0),p(`z`,`y`,`x`,1,-1,n,t,-e,a,i,1),p(`x`,`z`,`y`,1,1,e,n,t,r,a,2),p(`x`,`z`,`y`,1,-1,e,n,-t,r,a,3),p(`x`,`y`,`z`,1,-1,e,t,n,r,i,4),p(`x`,`y`,`z`,-1,-1,e,t,-n,r,i,5),this.setIndex(s),this.setAttribute(`position`,new Ds(c,3)),this.setAttribute(`normal`,new Ds(l,3)),this.setAttribute(`uv`,new Ds(u,2));function p(e,t,n,r,i,a,p,m,h,g,_){let v=a/h,y=p/g,b=a/2,x=p/2,S=m/2,C=h+1,w=g+1,T=0,E=0,D=new G;for(let a=0;a<w;a++){let o=a*y-x;for(let s=0;s<C;s++)D[e]=(s*v-b)*r,D[t]=o*i,D[n]=S,c.push(D.x,D.y,D.z),D[e]=0,D[t]=0,D[n]=m>0?1:-1,l.push(D.x,D.y,D.z),u.push(s/h),u.push(1-a/g),T+=1}for(let e=0;e<g;e++)for(let t=0;t<h;t++){let n=d+t+C*e,r=d+t+C*(e+1),i=d+(t+1)+C*(e+1),a=d+(t+1)+C*e;s.push(n,r,a),s.push(r,i,a),E+=6}o.addGroup(f,E,_),f+=E,d+=T}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}},Bc=class e extends zs{constructor(e=1,t=1,n=1,r=1){super(),this.type=`PlaneGeometry`,this.parameters={width:e,height:t,widthSegments:n,heightSegments:r};let i=e/2,a=t/2,o=Math.floor(n),s=Math.floor(r),c=o+1,l=s+1,u=e/o,d=t/s,f=[],p=[],m=[],h=[];for(let e=0;e<l;e++){let t=e*d-a;for(let n=0;n<c;n++){let r=n*u-i;p.push(r,-t,0),m.push(0,0,1),h.push(n/o),h.push(1-e/s)}}for(let e=0;e<s;e++)for(let t=0;t<o;t++){let n=t+c*e,r=t+c*(e+1),i=t+1+c*(e+1),a=t+1+c*e;f.push(n,r,a),f.push(r,i,a)}this.setIndex(f),this.setAttribute(`position`,new Ds(p,3)),this.setAttribute(`normal`,new Ds(m,3)),this.setAttribute(`uv`,new Ds(h,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(t){return new e(t.width,t.height,t.widthSegments,t.heightSegments)}};function Vc(e){let t={};for(let n in e){t[n]={};for(let r in e[n]){let i=e[n][r];if(Uc(i))i.isRenderTargetTexture?(H(`UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms().`),t[n][r]=null):t[n][r]=i.clone();else if(Array.isArray(i)){if(Uc(i[0])){let e=[];for(let t=0,n=i.length;t<n;t++)e[t]=i[t].clone();t[n][r]=e}else t[n][r]=i.slice()}else t[n][r]=i}}return t}function Hc(e){let t={};for(let n=0;n<e.length;n++){let r=Vc(e[n]);for(let e in r)t[e]=r[e]}return t}function Uc(e){return e&&(e.isColor||e.isMatrix3||e.isMatrix4||e.isVector2||e.isVector3||e.isVector4||e.isTexture||e.isQuaternion)}function Wc(e){let t=[];for(let n=0;n<e.length;n++)t.push(e[n].clone());return t}function Gc(e){let t=e.getRenderTarget();return t===null?e.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:q.workingColorSpace}var Kc={clone:Vc,merge:Hc},qc=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Jc=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Yc=class extends Gs{constructor(e){super(),this.isShaderMaterial=!0,this.type=`ShaderMaterial`,this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=qc,this.fragmentShader=Jc,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=Vc(e.uniforms),this.uniformsGroups=Wc(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let n in this.uniforms){let r=this.uniforms[n].value;r&&r.isTexture?t.uniforms[n]={type:`t`,value:r.toJSON(e).uuid}:r&&r.isColor?t.uniforms[n]={type:`c`,value:r.getHex()}:r&&r.isVector2?t.uniforms[n]={type:`v2`,value:r.toArray()}:r&&r.isVector3?t.uniforms[n]={type:`v3`,value:r.toArray()}:r&&r.isVector4?t.uniforms[n]={type:`v4`,value:r.toArray()}:r&&r.isMatrix3?t.uniforms[n]={type:`m3`,value:r.toArray()}:r&&r.isMatrix4?t.uniforms[n]={type:`m4`,value:r.toArray()}:t.uniforms[n]={value:r}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let e in this.extensions)this.extensions[e]===!0&&(n[e]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let r=e.uniforms[n];switch(this.uniforms[n]={},r.type){case`t`:this.uniforms[n].value=t[r.value]||null;break;case`c`:this.uniforms[n].value=new J().setHex(r.value);break;case`v2`:this.uniforms[n].value=new za().fromArray(r.value);break;case`v3`:this.uniforms[n].value=new G().fromArray(r.value);break;case`v4`:this.uniforms[n].value=new ro().fromArray(r.value);break;case`m3`:this.uniforms[n].value=new K().fromArray(r.value);break;case`m4`:this.uniforms[n].value=new co().fromArray(r.value);break;default:this.uniforms[n].value=r.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let t in e.extensions)this.extensions[t]=e.extensions[t];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Xc=class extends Yc{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type=`RawShaderMaterial`}},Zc=class extends Gs{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type=`MeshDepthMaterial`,this.depthPacking=la,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Qc=class extends Gs{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type=`MeshDistanceMaterial`,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function $c(e,t){return!e||e.constructor===t?e:typeof t.BYTES_PER_ELEMENT==`number`?new t(e):Array.prototype.slice.call(e)}function el(e){return e!==void 0&&e.inTangents!==void 0&&e.outTangents!==void 0}var tl=class{constructor(e,t,n,r){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=r===void 0?new t.constructor(n):r,this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,r=t[n],i=t[n-1];validate_interval:{seek:{let a;linear_scan:{forward_scan:if(!(e<r)){for(let a=n+2;;){if(r===void 0){if(e<i)break forward_scan;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(i=r,r=t[++n],e<r)break seek}a=t.length;break linear_scan}if(!(e>=i)){let o=t[1];e<o&&(n=2,i=o);for(let a=n-2;;){if(i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===a)break;if(r=i,i=t[--n-1],e>=i)break seek}a=n,n=0;break linear_scan}break validate_interval}for(;n<a;){let r=n+a>>>1;e<t[r]?a=r:n=r+1}if(r=t[n],i=t[n-1],i===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(r===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,i,r)}return this.interpolate_(n,i,e,r)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,r=this.valueSize,i=e*r;for(let e=0;e!==r;++e)t[e]=n[i+e];return t}interpolate_(){throw Error(`THREE.Interpolant: Call to abstract method.`)}intervalChanged_(){}},nl=class extends tl{constructor(e,t,n,r){super(e,t,n,r),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:oa,endingEnd:oa}}intervalChanged_(e,t,n){let r=this.parameterPositions,i=e-2,a=e+1,o=r[i],s=r[a];if(o===void 0)switch(this.getSettings_().endingStart){case sa:i=e,o=2*t-n;break;case ca:i=r.length-2,o=t+r[i]-r[i+1];break;default:i=e,o=n}if(s===void 0)switch(this.getSettings_().endingEnd){case sa:a=e,s=2*n-t;break;case ca:a=1,s=n+r[1]-r[0];break;default:a=e-1,s=t}let c=(n-t)*.5,l=this.valueSize;this._weightPrev=c/(t-o),this._weightNext=c/(s-n),this._offsetPrev=i*l,this._offsetNext=a*l}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(n-t)/(r-t),m=p*p,h=m*p,g=-d*h+2*d*m-d*p,_=(1+d)*h+(-1.5-2*d)*m+(-.5+d)*p+1,v=(-1-f)*h+(1.5+f)*m+.5*p,y=f*h-f*m;for(let e=0;e!==o;++e)i[e]=g*a[l+e]+_*a[c+e]+v*a[s+e]+y*a[u+e];return i}},rl=class extends tl{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=(n-t)/(r-t),u=1-l;for(let e=0;e!==o;++e)i[e]=a[c+e]*u+a[s+e]*l;return i}},il=class extends tl{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e){return this.copySampleValue_(e-1)}},al=class extends tl{interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=e*o,c=s-o,l=this.inTangents,u=this.outTangents;if(!l||!u){let e=(n-t)/(r-t),l=1-e;for(let t=0;t!==o;++t)i[t]=a[c+t]*l+a[s+t]*e;return i}let d=o*2,f=e-1;for(let p=0;p!==o;++p){let o=a[c+p],m=a[s+p],h=f*d+p*2,g=u[h],_=u[h+1],v=e*d+p*2,y=l[v],b=l[v+1],x=cl(n,t,g,y,r);i[p]=ol(x,o,_,b,m)}return i}};function ol(e,t,n,r,i){let a=1-e;return a*a*a*t+3*a*a*e*n+3*a*e*e*r+e*e*e*i}function sl(e,t,n,r,i){let a=1-e;return 3*a*a*(n-t)+6*a*e*(r-n)+3*e*e*(i-r)}function cl(e,t,n,r,i){let a=(e-t)/(i-t);for(let o=0;o<8;o++){let o=ol(a,t,n,r,i)-e;if(Math.abs(o)<1e-10)break;let s=sl(a,t,n,r,i);if(Math.abs(s)<1e-10)break;a=Math.max(0,Math.min(1,a-o/s))}return a}var ll=class{constructor(e,t,n,r){if(e===void 0)throw Error(`THREE.KeyframeTrack: track name is undefined`);if(t===void 0||t.length===0)throw Error(`THREE.KeyframeTrack: no keyframes in track named `+e);this.name=e,this.times=$c(t,this.TimeBufferType),this.values=$c(n,this.ValueBufferType),this.setInterpolation(r||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:$c(e.times,Array),values:$c(e.values,Array)};let t=e.getInterpolation();t!==e.DefaultInterpolation&&(n.interpolation=t),el(e.settings)&&(n.settings={inTangents:$c(e.settings.inTangents,Array),outTangents:$c(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new il(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new rl(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new nl(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new al(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case na:t=this.InterpolantFactoryMethodDiscrete;break;case ra:t=this.InterpolantFactoryMethodLinear;break;case ia:t=this.InterpolantFactoryMethodSmooth;break;case aa:t=this.InterpolantFactoryMethodBezier}if(t===void 0){let t=`unsupported interpolation for `+this.ValueTypeName+` keyframe track named `+this.name;if(this.createInterpolant===void 0){if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw Error(t)}return H(`KeyframeTrack:`,t),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return na;case this.InterpolantFactoryMethodLinear:return ra;case this.InterpolantFactoryMethodSmooth:return ia;case this.InterpolantFactoryMethodBezier:return aa}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]+=e;el(this.settings)&&(ul(this.settings.inTangents,e),ul(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,r=t.length;n!==r;++n)t[n]*=e;el(this.settings)&&(dl(this.settings.inTangents,e),dl(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,r=n.length,i=0,a=r-1;for(;i!==r&&n[i]<e;)++i;for(;a!==-1&&n[a]>t;)--a;if(++a,i!==0||a!==r){i>=a&&(a=Math.max(a,1),i=a-1);let e=this.getValueSize();this.times=n.slice(i,a),this.values=this.values.slice(i*e,a*e)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(U(`KeyframeTrack: Invalid value size in track.`,this),e=!1);let n=this.times,r=this.values,i=n.length;i===0&&(U(`KeyframeTrack: Track is empty.`,this),e=!1);let a=null;for(let t=0;t!==i;t++){let r=n[t];if(typeof r==`number`&&isNaN(r)){U(`KeyframeTrack: Time is not a valid number.`,this,t,r),e=!1;break}if(a!==null&&a>r){U(`KeyframeTrack: Out of order keys.`,this,t,r,a),e=!1;break}a=r}if(r!==void 0&&ya(r))for(let t=0,n=r.length;t!==n;++t){let n=r[t];if(isNaN(n)){U(`KeyframeTrack: Value is not a valid number.`,this,t,n),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),r=this.getInterpolation()===ia,i=e.length-1,a=1;for(let o=1;o<i;++o){let i=!1,s=e[o];if(s!==e[o+1]&&(o!==1||s!==e[0])){if(r)i=!0;else{let e=o*n,r=e-n,a=e+n;for(let o=0;o!==n;++o){let n=t[e+o];if(n!==t[r+o]||n!==t[a+o]){i=!0;break}}}}if(i){if(o!==a){e[a]=e[o];let r=o*n,i=a*n;for(let e=0;e!==n;++e)t[i+e]=t[r+e]}++a}}if(i>0){e[a]=e[i];for(let e=i*n,r=a*n,o=0;o!==n;++o)t[r+o]=t[e+o];++a}return a===e.length?(this.times=e,this.values=t):(this.times=e.slice(0,a),this.values=t.slice(0,a*n)),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,r=new n(this.name,e,t);return r.createInterpolant=this.createInterpolant,el(this.settings)&&(r.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),r}};function ul(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]+=t}function dl(e,t){for(let n=0,r=e.length;n!==r;n+=2)e[n]*=t}ll.prototype.ValueTypeName=``,ll.prototype.TimeBufferType=Float32Array,ll.prototype.ValueBufferType=Float32Array,ll.prototype.DefaultInterpolation=ra;var fl=class extends ll{constructor(e,t,n){super(e,t,n)}};fl.prototype.ValueTypeName=`bool`,fl.prototype.ValueBufferType=Array,fl.prototype.DefaultInterpolation=na,fl.prototype.InterpolantFactoryMethodLinear=void 0,fl.prototype.InterpolantFactoryMethodSmooth=void 0;var pl=class extends ll{constructor(e,t,n,r){super(e,t,n,r)}};pl.prototype.ValueTypeName=`color`;var ml=class extends ll{constructor(e,t,n,r){super(e,t,n,r)}};ml.prototype.ValueTypeName=`number`;var hl=class extends tl{constructor(e,t,n,r){super(e,t,n,r)}interpolate_(e,t,n,r){let i=this.resultBuffer,a=this.sampleValues,o=this.valueSize,s=(n-t)/(r-t),c=e*o;for(let e=c+o;c!==e;c+=4)Ba.slerpFlat(i,0,a,c-o,a,c,s);return i}},gl=class extends ll{constructor(e,t,n,r){super(e,t,n,r)}InterpolantFactoryMethodLinear(e){return new hl(this.times,this.values,this.getValueSize(),e)}};gl.prototype.ValueTypeName=`quaternion`,gl.prototype.InterpolantFactoryMethodSmooth=void 0;var _l=class extends ll{constructor(e,t,n){super(e,t,n)}};_l.prototype.ValueTypeName=`string`,_l.prototype.ValueBufferType=Array,_l.prototype.DefaultInterpolation=na,_l.prototype.InterpolantFactoryMethodLinear=void 0,_l.prototype.InterpolantFactoryMethodSmooth=void 0;var vl=class extends ll{constructor(e,t,n,r){super(e,t,n,r)}};vl.prototype.ValueTypeName=`vector`;var yl=new G,bl=new Ba,xl=new G,Sl=class extends Io{constructor(){super(),this.isCamera=!0,this.type=`Camera`,this.matrixWorldInverse=new co,this.projectionMatrix=new co,this.projectionMatrixInverse=new co,this.coordinateSystem=_a,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(yl,bl,xl),xl.x===1&&xl.y===1&&xl.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(yl,bl,xl.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(yl,bl,xl),xl.x===1&&xl.y===1&&xl.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(yl,bl,xl.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Cl=new G,wl=new za,Tl=new za,El=class extends Sl{constructor(e=50,t=1,n=.1,r=2e3){super(),this.isPerspectiveCamera=!0,this.type=`PerspectiveCamera`,this.fov=e,this.zoom=1,this.near=n,this.far=r,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=ja*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(Aa*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return ja*2*Math.atan(Math.tan(Aa*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){Cl.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(Cl.x,Cl.y).multiplyScalar(-e/Cl.z),Cl.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Cl.x,Cl.y).multiplyScalar(-e/Cl.z)}getViewSize(e,t){return this.getViewBounds(e,wl,Tl),t.subVectors(Tl,wl)}setViewOffset(e,t,n,r,i,a){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(Aa*.5*this.fov)/this.zoom,n=2*t,r=this.aspect*n,i=-.5*r,a=this.view;if(this.view!==null&&this.view.enabled){let e=a.fullWidth,o=a.fullHeight;i+=a.offsetX*r/e,t-=a.offsetY*n/o,r*=a.width/e,n*=a.height/o}let o=this.filmOffset;o!==0&&(i+=e*o/this.getFilmWidth()),this.projectionMatrix.makePerspective(i,i+r,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}},Dl=class extends Sl{constructor(e=-1,t=1,n=1,r=-1,i=.1,a=2e3){super(),this.isOrthographicCamera=!0,this.type=`OrthographicCamera`,this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=r,this.near=i,this.far=a,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,r,i,a){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=r,this.view.width=i,this.view.height=a,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,r=(this.top+this.bottom)/2,i=n-e,a=n+e,o=r+t,s=r-t;if(this.view!==null&&this.view.enabled){let e=(this.right-this.left)/this.view.fullWidth/this.zoom,t=(this.top-this.bottom)/this.view.fullHeight/this.zoom;i+=e*this.view.offsetX,a=i+e*this.view.width,o-=t*this.view.offsetY,s=o-t*this.view.height}this.projectionMatrix.makeOrthographic(i,a,o,s,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}},Ol=-90,kl=1,Al=class extends Io{constructor(e,t,n){super(),this.type=`CubeCamera`,this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let r=new El(Ol,kl,e,t);r.layers=this.layers,this.add(r);let i=new El(Ol,kl,e,t);i.layers=this.layers,this.add(i);let a=new El(Ol,kl,e,t);a.layers=this.layers,this.add(a);let o=new El(Ol,kl,e,t);o.layers=this.layers,this.add(o);let s=new El(Ol,kl,e,t);s.layers=this.layers,this.add(s);let c=new El(Ol,kl,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,r,i,a,o,s]=t;for(let e of t)this.remove(e);if(e===2e3)n.up.set(0,1,0),n.lookAt(1,0,0),r.up.set(0,1,0),r.lookAt(-1,0,0),i.up.set(0,0,-1),i.lookAt(0,1,0),a.up.set(0,0,1),a.lookAt(0,-1,0),o.up.set(0,1,0),o.lookAt(0,0,1),s.up.set(0,1,0),s.lookAt(0,0,-1);else if(e===2001)n.up.set(0,-1,0),n.lookAt(-1,0,0),r.up.set(0,-1,0),r.lookAt(1,0,0),i.up.set(0,0,1),i.lookAt(0,1,0),a.up.set(0,0,-1),a.lookAt(0,-1,0),o.up.set(0,-1,0),o.lookAt(0,0,1),s.up.set(0,-1,0),s.lookAt(0,0,-1);else throw Error(`THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: `+e);for(let e of t)this.add(e),e.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:r}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[i,a,o,s,c,l]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),p=e.xr.enabled;e.xr.enabled=!1;let m=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let h=!1;h=e.isWebGLRenderer===!0?e.state.buffers.depth.getReversed():e.reversedDepthBuffer,e.setRenderTarget(n,0,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,i),e.setRenderTarget(n,1,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,2,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,3,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,s),e.setRenderTarget(n,4,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=m,e.setRenderTarget(n,5,r),h&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(u,d,f),e.xr.enabled=p,n.texture.needsPMREMUpdate=!0}},jl=class extends El{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}},Ml=`\\[\\]\\.:\\/`,Nl=RegExp(`[\\[\\]\\.:\\/]`,`g`),Pl=`[^\\[\\]\\.:\\/]`,Fl=`[^`+Ml.replace(`\\.`,``)+`]`,Il=`((?:WC+[\\/:])*)`.replace(`WC`,Pl),Ll=`(WCOD+)?`.replace(`WCOD`,Fl),Rl=`(?:\\.(WC+)(?:\\[(.+)\\])?)?`.replace(`WC`,Pl),zl=`\\.(WC+)(?:\\[(.+)\\])?`.replace(`WC`,Pl),Bl=RegExp(`^`+Il+Ll+Rl+zl+`$`),Vl=[`material`,`materials`,`bones`,`map`],Hl=class{constructor(e,t,n){let r=n||Ul.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,r)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,r=this._bindings[n];r!==void 0&&r.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let r=this._targetGroup.nCachedObjects_,i=n.length;r!==i;++r)n[r].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Ul=class e{constructor(t,n,r){this.path=n,this.parsedPath=r||e.parseTrackName(n),this.node=e.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,n,r){return t&&t.isAnimationObjectGroup?new e.Composite(t,n,r):new e(t,n,r)}static sanitizeNodeName(e){return e.replace(/\s/g,`_`).replace(Nl,``)}static parseTrackName(e){let t=Bl.exec(e);if(t===null)throw Error(`THREE.PropertyBinding: Cannot parse trackName: `+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},r=n.nodeName&&n.nodeName.lastIndexOf(`.`);if(r!==void 0&&r!==-1){let e=n.nodeName.substring(r+1);Vl.indexOf(e)!==-1&&(n.nodeName=n.nodeName.substring(0,r),n.objectName=e)}if(n.propertyName===null||n.propertyName.length===0)throw Error(`THREE.PropertyBinding: can not parse propertyName from trackName: `+e);return n}static findNode(e,t){if(t===void 0||t===``||t===`.`||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(e){for(let r=0;r<e.length;r++){let i=e[r];if(i.name===t||i.uuid===t)return i;let a=n(i.children);if(a)return a}return null},r=n(e.children);if(r)return r}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)e[t++]=n[r]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let r=0,i=n.length;r!==i;++r)n[r]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let t=this.node,n=this.parsedPath,r=n.objectName,i=n.propertyName,a=n.propertyIndex;if(t||(t=e.findNode(this.rootNode,n.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){H(`PropertyBinding: No target node found for track: `+this.path+`.`);return}if(r){let e=n.objectIndex;switch(r){case`materials`:if(!t.material){U(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.materials){U(`PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.`,this);return}t=t.material.materials;break;case`bones`:if(!t.skeleton){U(`PropertyBinding: Can not bind to bones as node does not have a skeleton.`,this);return}t=t.skeleton.bones;for(let n=0;n<t.length;n++)if(t[n].name===e){e=n;break}break;case`map`:if(`map`in t){t=t.map;break}if(!t.material){U(`PropertyBinding: Can not bind to material as node does not have a material.`,this);return}if(!t.material.map){U(`PropertyBinding: Can not bind to material.map as node.material does not have a map.`,this);return}t=t.material.map;break;default:if(t[r]===void 0){U(`PropertyBinding: Can not bind to objectName of node undefined.`,this);return}t=t[r]}if(e!==void 0){if(t[e]===void 0){U(`PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.`,this,t);return}t=t[e]}}let o=t[i];if(o===void 0){let e=n.nodeName;U(`PropertyBinding: Trying to update property for track: `+e+`.`+i+` but it wasn't found.`,t);return}let s=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?s=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(s=this.Versioning.MatrixWorldNeedsUpdate);let c=this.BindingType.Direct;if(a!==void 0){if(i===`morphTargetInfluences`){if(!t.geometry){U(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.`,this);return}if(!t.geometry.morphAttributes){U(`PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.`,this);return}t.morphTargetDictionary[a]!==void 0&&(a=t.morphTargetDictionary[a])}c=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=a}else o.fromArray!==void 0&&o.toArray!==void 0?(c=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(c=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=i;this.getValue=this.GetterByBindingType[c],this.setValue=this.SetterByBindingTypeAndVersioning[c][s]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Ul.Composite=Hl,Ul.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3},Ul.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2},Ul.prototype.GetterByBindingType=[Ul.prototype._getValue_direct,Ul.prototype._getValue_array,Ul.prototype._getValue_arrayElement,Ul.prototype._getValue_toArray],Ul.prototype.SetterByBindingTypeAndVersioning=[[Ul.prototype._setValue_direct,Ul.prototype._setValue_direct_setNeedsUpdate,Ul.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Ul.prototype._setValue_array,Ul.prototype._setValue_array_setNeedsUpdate,Ul.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Ul.prototype._setValue_arrayElement,Ul.prototype._setValue_arrayElement_setNeedsUpdate,Ul.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Ul.prototype._setValue_fromArray,Ul.prototype._setValue_fromArray_setNeedsUpdate,Ul.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]],class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,r){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,r)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,r){let i=this.elements;return i[0]=e,i[2]=t,i[1]=n,i[3]=r,this}};function Wl(e,t,n,r){let i=Gl(r);switch(n){case ui:return e*t;case hi:return e*t/i.components*i.byteLength;case gi:return e*t/i.components*i.byteLength;case _i:return e*t*2/i.components*i.byteLength;case vi:return e*t*2/i.components*i.byteLength;case di:return e*t*3/i.components*i.byteLength;case fi:return e*t*4/i.components*i.byteLength;case yi:return e*t*4/i.components*i.byteLength;case bi:case xi:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Si:case Ci:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Ti:case Di:return Math.max(e,16)*Math.max(t,8)/4;case wi:case Ei:return Math.max(e,8)*Math.max(t,8)/2;case Oi:case ki:case ji:case Mi:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*8;case Ai:case Ni:case Pi:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Fi:return Math.floor((e+3)/4)*Math.floor((t+3)/4)*16;case Ii:return Math.floor((e+4)/5)*Math.floor((t+3)/4)*16;case Li:return Math.floor((e+4)/5)*Math.floor((t+4)/5)*16;case Ri:return Math.floor((e+5)/6)*Math.floor((t+4)/5)*16;case zi:return Math.floor((e+5)/6)*Math.floor((t+5)/6)*16;case Bi:return Math.floor((e+7)/8)*Math.floor((t+4)/5)*16;case Vi:return Math.floor((e+7)/8)*Math.floor((t+5)/6)*16;case Hi:return Math.floor((e+7)/8)*Math.floor((t+7)/8)*16;case Ui:return Math.floor((e+9)/10)*Math.floor((t+4)/5)*16;case Wi:return Math.floor((e+9)/10)*Math.floor((t+5)/6)*16;case Gi:return Math.floor((e+9)/10)*Math.floor((t+7)/8)*16;case Ki:return Math.floor((e+9)/10)*Math.floor((t+9)/10)*16;case qi:return Math.floor((e+11)/12)*Math.floor((t+9)/10)*16;case Ji:return Math.floor((e+11)/12)*Math.floor((t+11)/12)*16;case Yi:case Xi:case Zi:return Math.ceil(e/4)*Math.ceil(t/4)*16;case Qi:case $i:return Math.ceil(e/4)*Math.ceil(t/4)*8;case ea:case ta:return Math.ceil(e/4)*Math.ceil(t/4)*16}throw Error(`Unable to determine texture byte length for ${n} format.`)}function Gl(e){switch(e){case Zr:case Qr:return{byteLength:1,components:1};case ei:case $r:case ii:return{byteLength:2,components:1};case ai:case oi:return{byteLength:2,components:4};case ni:case ti:case ri:return{byteLength:4,components:1};case ci:case li:return{byteLength:4,components:3}}throw Error(`THREE.TextureUtils: Unknown texture type ${e}.`)}typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`register`,{detail:{revision:`187`}})),typeof window<`u`&&(window.__THREE__?H(`WARNING: Multiple instances of Three.js being imported.`):window.__THREE__=`187`);function Kl(){let e=null,t=!1,n=null,r=null;function i(t,a){r=e.requestAnimationFrame(i),n(t,a)}return{start:function(){t!==!0&&n!==null&&e!==null&&(r=e.requestAnimationFrame(i),t=!0)},stop:function(){e!==null&&e.cancelAnimationFrame(r),t=!1},setAnimationLoop:function(e){n=e},setContext:function(t){e=t}}}function ql(e){let t=new WeakMap;function n(t,n){let r=t.array,i=t.usage,a=r.byteLength,o=e.createBuffer();e.bindBuffer(n,o),e.bufferData(n,r,i),t.onUploadCallback();let s;if(r instanceof Float32Array)s=e.FLOAT;else if(typeof Float16Array<`u`&&r instanceof Float16Array)s=e.HALF_FLOAT;else if(r instanceof Uint16Array)s=t.isFloat16BufferAttribute?e.HALF_FLOAT:e.UNSIGNED_SHORT;else if(r instanceof Int16Array)s=e.SHORT;else if(r instanceof Uint32Array)s=e.UNSIGNED_INT;else if(r instanceof Int32Array)s=e.INT;else if(r instanceof Int8Array)s=e.BYTE;else if(r instanceof Uint8Array)s=e.UNSIGNED_BYTE;else if(r instanceof Uint8ClampedArray)s=e.UNSIGNED_BYTE;else throw Error(`THREE.WebGLAttributes: Unsupported buffer data format: `+r);return{buffer:o,type:s,bytesPerElement:r.BYTES_PER_ELEMENT,version:t.version,size:a}}function r(t,n,r){let i=n.array,a=n.updateRanges;if(e.bindBuffer(r,t),a.length===0)e.bufferSubData(r,0,i);else{a.sort((e,t)=>e.start-t.start);let t=0;for(let e=1;e<a.length;e++){let n=a[t],r=a[e];r.start<=n.start+n.count+1?n.count=Math.max(n.count,r.start+r.count-n.start):(++t,a[t]=r)}a.length=t+1;for(let t=0,n=a.length;t<n;t++){let n=a[t];e.bufferSubData(r,n.start*i.BYTES_PER_ELEMENT,i,n.start,n.count)}n.clearUpdateRanges()}n.onUploadCallback()}function i(e){return e.isInterleavedBufferAttribute&&(e=e.data),t.get(e)}function a(n){n.isInterleavedBufferAttribute&&(n=n.data);let r=t.get(n);r&&(e.deleteBuffer(r.buffer),t.delete(n))}function o(e,i){if(e.isInterleavedBufferAttribute&&(e=e.data),e.isGLBufferAttribute){let n=t.get(e);(!n||n.version<e.version)&&t.set(e,{buffer:e.buffer,type:e.type,bytesPerElement:e.elementSize,version:e.version});return}let a=t.get(e);if(a===void 0)t.set(e,n(e,i));else if(a.version<e.version){if(a.size!==e.array.byteLength)throw Error(`THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.`);r(a.buffer,e,i),a.version=e.version}}return{get:i,remove:a,update:o}}var Y={alphahash_fragment:`#ifdef USE_ALPHAHASH
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
}`},X={common:{diffuse:{value:new J(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new K},alphaMap:{value:null},alphaMapTransform:{value:new K},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new K}},envmap:{envMap:{value:null},envMapRotation:{value:new K},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new K}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new K}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new K},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new K},normalScale:{value:new za(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new K},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new K}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new K}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new K}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new J(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new J(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new K},alphaTest:{value:0},uvTransform:{value:new K}},sprite:{diffuse:{value:new J(16777215)},opacity:{value:1},center:{value:new za(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new K},alphaMap:{value:null},alphaMapTransform:{value:new K},alphaTest:{value:0}}},Jl={basic:{uniforms:Hc([X.common,X.specularmap,X.envmap,X.aomap,X.lightmap,X.fog]),vertexShader:Y.meshbasic_vert,fragmentShader:Y.meshbasic_frag},lambert:{uniforms:Hc([X.common,X.specularmap,X.envmap,X.aomap,X.lightmap,X.emissivemap,X.bumpmap,X.normalmap,X.displacementmap,X.fog,X.lights,{emissive:{value:new J(0)},envMapIntensity:{value:1}}]),vertexShader:Y.meshlambert_vert,fragmentShader:Y.meshlambert_frag},phong:{uniforms:Hc([X.common,X.specularmap,X.envmap,X.aomap,X.lightmap,X.emissivemap,X.bumpmap,X.normalmap,X.displacementmap,X.fog,X.lights,{emissive:{value:new J(0)},specular:{value:new J(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:Y.meshphong_vert,fragmentShader:Y.meshphong_frag},standard:{uniforms:Hc([X.common,X.envmap,X.aomap,X.lightmap,X.emissivemap,X.bumpmap,X.normalmap,X.displacementmap,X.roughnessmap,X.metalnessmap,X.fog,X.lights,{emissive:{value:new J(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:Y.meshphysical_vert,fragmentShader:Y.meshphysical_frag},toon:{uniforms:Hc([X.common,X.aomap,X.lightmap,X.emissivemap,X.bumpmap,X.normalmap,X.displacementmap,X.gradientmap,X.fog,X.lights,{emissive:{value:new J(0)}}]),vertexShader:Y.meshtoon_vert,fragmentShader:Y.meshtoon_frag},matcap:{uniforms:Hc([X.common,X.bumpmap,X.normalmap,X.displacementmap,X.fog,{matcap:{value:null}}]),vertexShader:Y.meshmatcap_vert,fragmentShader:Y.meshmatcap_frag},points:{uniforms:Hc([X.points,X.fog]),vertexShader:Y.points_vert,fragmentShader:Y.points_frag},dashed:{uniforms:Hc([X.common,X.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:Y.linedashed_vert,fragmentShader:Y.linedashed_frag},depth:{uniforms:Hc([X.common,X.displacementmap]),vertexShader:Y.depth_vert,fragmentShader:Y.depth_frag},normal:{uniforms:Hc([X.common,X.bumpmap,X.normalmap,X.displacementmap,{opacity:{value:1}}]),vertexShader:Y.meshnormal_vert,fragmentShader:Y.meshnormal_frag},sprite:{uniforms:Hc([X.sprite,X.fog]),vertexShader:Y.sprite_vert,fragmentShader:Y.sprite_frag},background:{uniforms:{uvTransform:{value:new K},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:Y.background_vert,fragmentShader:Y.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new K}},vertexShader:Y.backgroundCube_vert,fragmentShader:Y.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:Y.cube_vert,fragmentShader:Y.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:Y.equirect_vert,fragmentShader:Y.equirect_frag},distance:{uniforms:Hc([X.common,X.displacementmap,{referencePosition:{value:new G},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:Y.distance_vert,fragmentShader:Y.distance_frag},shadow:{uniforms:Hc([X.lights,X.fog,{color:{value:new J(0)},opacity:{value:1}}]),vertexShader:Y.shadow_vert,fragmentShader:Y.shadow_frag}};Jl.physical={uniforms:Hc([Jl.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new K},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new K},clearcoatNormalScale:{value:new za(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new K},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new K},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new K},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new K},sheen:{value:0},sheenColor:{value:new J(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new K},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new K},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new K},transmissionSamplerSize:{value:new za},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new K},attenuationDistance:{value:0},attenuationColor:{value:new J(0)},specularColor:{value:new J(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new K},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new K},anisotropyVector:{value:new za},anisotropyMap:{value:null},anisotropyMapTransform:{value:new K}}]),vertexShader:Y.meshphysical_vert,fragmentShader:Y.meshphysical_frag};var Yl={r:0,b:0,g:0},Xl=new co,Zl=new K;Zl.set(-1,0,0,0,1,0,0,0,1);function Ql(e,t,n,r,i,a){let o=new J(0),s=i===!0?0:1,c,l,u=null,d=0,f=null;function p(e){let n=e.isScene===!0?e.background:null;if(n&&n.isTexture){let r=e.backgroundBlurriness>0;n=t.get(n,r)}return n}function m(t){let r=!1,i=p(t);i===null?g(o,s):i&&i.isColor&&(g(i,1),r=!0);let c=e.xr.getEnvironmentBlendMode();c===`additive`?n.buffers.color.setClear(0,0,0,1,a):c===`alpha-blend`&&n.buffers.color.setClear(0,0,0,0,a),(e.autoClear||r)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),e.clear(e.autoClearColor,e.autoClearDepth,e.autoClearStencil))}function h(t,n){let i=p(n);i&&i.isCubeTexture?(l===void 0&&(l=new lc(new zc(1,1,1),new Yc({name:`BackgroundCubeMaterial`,uniforms:Vc(Jl.backgroundCube.uniforms),vertexShader:Jl.backgroundCube.vertexShader,fragmentShader:Jl.backgroundCube.fragmentShader,side:1,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute(`normal`),l.geometry.deleteAttribute(`uv`),l.onBeforeRender=function(e,t,n){this.matrixWorld.copyPosition(n.matrixWorld)},Object.defineProperty(l.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),r.update(l)),l.material.uniforms.envMap.value=i,l.material.uniforms.backgroundBlurriness.value=n.backgroundBlurriness,l.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,l.material.uniforms.backgroundRotation.value.setFromMatrix4(Xl.makeRotationFromEuler(n.backgroundRotation)).transpose(),i.isRenderTargetTexture===!1&&l.material.uniforms.backgroundRotation.value.premultiply(Zl),l.material.toneMapped=q.getTransfer(i.colorSpace)!==pa,(u!==i||d!==i.version||f!==e.toneMapping)&&(l.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),l.layers.enableAll(),t.unshift(l,l.geometry,l.material,0,0,null)):i&&i.isTexture&&(c===void 0&&(c=new lc(new Bc(2,2),new Yc({name:`BackgroundMaterial`,uniforms:Vc(Jl.background.uniforms),vertexShader:Jl.background.vertexShader,fragmentShader:Jl.background.fragmentShader,side:0,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute(`normal`),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),r.update(c)),c.material.uniforms.t2D.value=i,c.material.uniforms.backgroundIntensity.value=n.backgroundIntensity,c.material.toneMapped=q.getTransfer(i.colorSpace)!==pa,i.matrixAutoUpdate===!0&&i.updateMatrix(),c.material.uniforms.uvTransform.value.copy(i.matrix),(u!==i||d!==i.version||f!==e.toneMapping)&&(c.material.needsUpdate=!0,u=i,d=i.version,f=e.toneMapping),c.layers.enableAll(),t.unshift(c,c.geometry,c.material,0,0,null))}function g(t,r){t.getRGB(Yl,Gc(e)),n.buffers.color.setClear(Yl.r,Yl.g,Yl.b,r,a)}function _(){l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0),c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0)}return{getClearColor:function(){return o},setClearColor:function(e,t=1){o.set(e),s=t,g(o,s)},getClearAlpha:function(){return s},setClearAlpha:function(e){s=e,g(o,s)},render:m,addToRenderList:h,dispose:_}}function $l(e,t){let n=e.getParameter(e.MAX_VERTEX_ATTRIBS),r={},i=f(null),a=i,o=!1;function s(n,r,i,s,c){let u=!1,f=d(n,s,i,r);a!==f&&(a=f,l(a.object)),u=p(n,s,i,c),u&&m(n,s,i,c),c!==null&&t.update(c,e.ELEMENT_ARRAY_BUFFER),(u||o)&&(o=!1,b(n,r,i,s),c!==null&&e.bindBuffer(e.ELEMENT_ARRAY_BUFFER,t.get(c).buffer))}function c(){return e.createVertexArray()}function l(t){return e.bindVertexArray(t)}function u(t){return e.deleteVertexArray(t)}function d(e,t,n,i){let a=i.wireframe===!0,o=r[t.id];o===void 0&&(o={},r[t.id]=o);let s=e.isInstancedMesh===!0?e.id:0,l=o[s];l===void 0&&(l={},o[s]=l);let u=l[n.id];u===void 0&&(u={},l[n.id]=u);let d=u[a];return d===void 0&&(d=f(c()),u[a]=d),d}function f(e){let t=[],r=[],i=[];for(let e=0;e<n;e++)t[e]=0,r[e]=0,i[e]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:t,enabledAttributes:r,attributeDivisors:i,object:e,attributes:{},index:null}}function p(e,t,n,r){let i=a.attributes,o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=i[t],r=o[t];if(r===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(r=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(r=e.instanceColor)),n===void 0||n.attribute!==r||r&&n.data!==r.data)return!0;s++}return a.attributesNum!==s||a.index!==r}function m(e,t,n,r){let i={},o=t.attributes,s=0,c=n.getAttributes();for(let t in c)if(c[t].location>=0){let n=o[t];n===void 0&&(t===`instanceMatrix`&&e.instanceMatrix&&(n=e.instanceMatrix),t===`instanceColor`&&e.instanceColor&&(n=e.instanceColor));let r={};r.attribute=n,n&&n.data&&(r.data=n.data),i[t]=r,s++}a.attributes=i,a.attributesNum=s,a.index=r}function h(){let e=a.newAttributes;for(let t=0,n=e.length;t<n;t++)e[t]=0}function g(e){_(e,0)}function _(t,n){let r=a.newAttributes,i=a.enabledAttributes,o=a.attributeDivisors;r[t]=1,i[t]===0&&(e.enableVertexAttribArray(t),i[t]=1),o[t]!==n&&(e.vertexAttribDivisor(t,n),o[t]=n)}function v(){let t=a.newAttributes,n=a.enabledAttributes;for(let r=0,i=n.length;r<i;r++)n[r]!==t[r]&&(e.disableVertexAttribArray(r),n[r]=0)}function y(t,n,r,i,a,o,s){s===!0?e.vertexAttribIPointer(t,n,r,a,o):e.vertexAttribPointer(t,n,r,i,a,o)}function b(n,r,i,a){h();let o=a.attributes,s=i.getAttributes(),c=r.defaultAttributeValues;for(let r in s){let i=s[r];if(i.location>=0){let s=o[r];if(s===void 0&&(r===`instanceMatrix`&&n.instanceMatrix&&(s=n.instanceMatrix),r===`instanceColor`&&n.instanceColor&&(s=n.instanceColor)),s!==void 0){let r=s.normalized,o=s.itemSize,c=t.get(s);if(c===void 0)continue;let l=c.buffer,u=c.type,d=c.bytesPerElement,f=u===e.INT||u===e.UNSIGNED_INT||s.gpuType===1013;if(s.isInterleavedBufferAttribute){let t=s.data,c=t.isInterleavedBuffer===!0?t.stride:t.itemSize,p=s.offset;if(t.isInstancedInterleavedBuffer||t.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,t.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=t.meshPerAttribute*t.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,c*d,(p+o/i.locationSize*e)*d,f)}else{if(s.isInstancedBufferAttribute){for(let e=0;e<i.locationSize;e++)_(i.location+e,s.meshPerAttribute);n.isInstancedMesh!==!0&&a._maxInstanceCount===void 0&&(a._maxInstanceCount=s.meshPerAttribute*s.count)}else for(let e=0;e<i.locationSize;e++)g(i.location+e);e.bindBuffer(e.ARRAY_BUFFER,l);for(let e=0;e<i.locationSize;e++)y(i.location+e,o/i.locationSize,u,r,o*d,o/i.locationSize*e*d,f)}}else if(c!==void 0){let t=c[r];if(t!==void 0)switch(t.length){case 2:e.vertexAttrib2fv(i.location,t);break;case 3:e.vertexAttrib3fv(i.location,t);break;case 4:e.vertexAttrib4fv(i.location,t);break;default:e.vertexAttrib1fv(i.location,t)}}}}v()}function x(){T();for(let e in r){let t=r[e];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e]}}function S(e){if(r[e.id]===void 0)return;let t=r[e.id];for(let e in t){let n=t[e];for(let e in n){let t=n[e];for(let e in t)u(t[e].object),delete t[e];delete n[e]}}delete r[e.id]}function C(e){for(let t in r){let n=r[t];for(let t in n){let r=n[t];if(r[e.id]===void 0)continue;let i=r[e.id];for(let e in i)u(i[e].object),delete i[e];delete r[e.id]}}}function w(e){for(let t in r){let n=r[t],i=e.isInstancedMesh===!0?e.id:0,a=n[i];if(a!==void 0){for(let e in a){let t=a[e];for(let e in t)u(t[e].object),delete t[e];delete a[e]}delete n[i],Object.keys(n).length===0&&delete r[t]}}}function T(){E(),o=!0,a!==i&&(a=i,l(a.object))}function E(){i.geometry=null,i.program=null,i.wireframe=!1}return{setup:s,reset:T,resetDefaultState:E,dispose:x,releaseStatesOfGeometry:S,releaseStatesOfObject:w,releaseStatesOfProgram:C,initAttributes:h,enableAttribute:g,disableUnusedAttributes:v}}function eu(e,t,n){let r;function i(e){r=e}function a(t,i){e.drawArrays(r,t,i),n.update(i,r,1)}function o(t,i,a){a!==0&&(e.drawArraysInstanced(r,t,i,a),n.update(i,r,a))}function s(e,i,a){if(a===0)return;t.get(`WEBGL_multi_draw`).multiDrawArraysWEBGL(r,e,0,i,0,a);let o=0;for(let e=0;e<a;e++)o+=i[e];n.update(o,r,1)}this.setMode=i,this.render=a,this.renderInstances=o,this.renderMultiDraw=s}function tu(e,t,n,r){let i;function a(){if(i!==void 0)return i;if(t.has(`EXT_texture_filter_anisotropic`)===!0){let n=t.get(`EXT_texture_filter_anisotropic`);i=e.getParameter(n.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else i=0;return i}function o(t){return t===1023||r.convert(t)===e.getParameter(e.IMPLEMENTATION_COLOR_READ_FORMAT)}function s(n){let i=n===1016&&(t.has(`EXT_color_buffer_half_float`)||t.has(`EXT_color_buffer_float`));return!(n!==1009&&n!==1015&&!i&&r.convert(n)!==e.getParameter(e.IMPLEMENTATION_COLOR_READ_TYPE))}function c(t){if(t===`highp`){if(e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.HIGH_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.HIGH_FLOAT).precision>0)return`highp`;t=`mediump`}return t===`mediump`&&e.getShaderPrecisionFormat(e.VERTEX_SHADER,e.MEDIUM_FLOAT).precision>0&&e.getShaderPrecisionFormat(e.FRAGMENT_SHADER,e.MEDIUM_FLOAT).precision>0?`mediump`:`lowp`}let l=n.precision===void 0?`highp`:n.precision,u=c(l);u!==l&&(H(`WebGLRenderer:`,l,`not supported, using`,u,`instead.`),l=u);let d=n.reversedDepthBuffer===!0&&t.has(`EXT_clip_control`),f=n.logarithmicDepthBuffer===!0&&d===!1;n.reversedDepthBuffer===!0&&d===!1&&H(`WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer.`),n.logarithmicDepthBuffer===!0&&d===!0&&H(`WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.`);let p=e.getParameter(e.MAX_TEXTURE_IMAGE_UNITS),m=e.getParameter(e.MAX_VERTEX_TEXTURE_IMAGE_UNITS),h=e.getParameter(e.MAX_TEXTURE_SIZE),g=e.getParameter(e.MAX_CUBE_MAP_TEXTURE_SIZE),_=e.getParameter(e.MAX_VERTEX_ATTRIBS),v=e.getParameter(e.MAX_VERTEX_UNIFORM_VECTORS),y=e.getParameter(e.MAX_VARYING_VECTORS),b=e.getParameter(e.MAX_FRAGMENT_UNIFORM_VECTORS),x=e.getParameter(e.MAX_SAMPLES),S=e.getParameter(e.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:a,getMaxPrecision:c,textureFormatReadable:o,textureTypeReadable:s,precision:l,logarithmicDepthBuffer:f,reversedDepthBuffer:d,maxTextures:p,maxVertexTextures:m,maxTextureSize:h,maxCubemapSize:g,maxAttributes:_,maxVertexUniforms:v,maxVaryings:y,maxFragmentUniforms:b,maxSamples:x,samples:S}}function nu(e){let t=this,n=null,r=0,i=!1,a=!1,o=new Us,s=new K,c={value:null,needsUpdate:!1};this.uniform=c,this.numPlanes=0,this.numIntersection=0,this.init=function(e,t){let n=e.length!==0||t||r!==0||i;return i=t,r=e.length,n},this.beginShadows=function(){a=!0,u(null)},this.endShadows=function(){a=!1},this.setGlobalState=function(e,t){n=u(e,t,0)},this.setState=function(t,o,s){let d=t.clippingPlanes,f=t.clipIntersection,p=t.clipShadows,m=e.get(t);if(!i||d===null||d.length===0||a&&!p)a?u(null):l();else{let e=a?0:r,t=e*4,i=m.clippingState||null;c.value=i,i=u(d,o,t,s);for(let e=0;e!==t;++e)i[e]=n[e];m.clippingState=i,this.numIntersection=f?this.numPlanes:0,this.numPlanes+=e}};function l(){c.value!==n&&(c.value=n,c.needsUpdate=r>0),t.numPlanes=r,t.numIntersection=0}function u(e,n,r,i){let a=e===null?0:e.length,l=null;if(a!==0){if(l=c.value,i!==!0||l===null){let t=r+a*4,i=n.matrixWorldInverse;s.getNormalMatrix(i),(l===null||l.length<t)&&(l=new Float32Array(t));for(let t=0,n=r;t!==a;++t,n+=4)o.copy(e[t]).applyMatrix4(i,s),o.normal.toArray(l,n),l[n+3]=o.constant}c.value=l,c.needsUpdate=!0}return t.numPlanes=a,t.numIntersection=0,l}}var ru=class extends ao{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},r=[n,n,n,n,n,n];this.texture=new Fc(r),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

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
			`},r=new zc(5,5,5),i=new Yc({name:`CubemapFromEquirect`,uniforms:Vc(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:1,blending:0});i.uniforms.tEquirect.value=t;let a=new lc(r,i),o=t.minFilter;return t.minFilter===1008&&(t.minFilter=Jr),new Al(1,10,this).update(e,a),t.minFilter=o,a.geometry.dispose(),a.material.dispose(),this}clear(e,t=!0,n=!0,r=!0){let i=e.getRenderTarget();for(let i=0;i<6;i++)e.setRenderTarget(this,i),e.clear(t,n,r);e.setRenderTarget(i)}},iu=256,au=3,ou=20,su=256,cu=16,lu=3,uu=new G,du=new J,fu=class e{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Al(1,10,null),this._boxMesh=new lc(new zc(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,r=100,i={}){let{size:a=256,position:o=uu}=i,s=this._renderer;this._setSize(a);let c=this._allocateTarget(),l=this._getSourceTarget(!0);t>0&&(l.texture.mipmapsAutoUpdate=!1);let u=s.autoClear,d=s.autoClearColor,f=s.autoClearDepth,p=s.autoClearStencil,m=e.background;s.autoClear=!0,s.autoClearColor=!0,s.autoClearDepth=!0,s.autoClearStencil=!0,m===null&&(e.background=s.getClearColor(du));let h=new Al(n,r,l);return h.position.copy(o),h.update(s,e),s.autoClear=u,s.autoClearColor=d,s.autoClearDepth=f,s.autoClearStencil=p,e.background=m,t>0&&(l.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=yu(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=vu(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(iu,Fa(e))}_fromTexture(e,t){e.mapping===301||e.mapping===302?this._setSize(e.image.length===0?iu:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=pu(e,!1,!1),n=Math.log2(e)-au;for(let r=0;r<=n;r++)t.texture.mipmaps.push({width:e>>r,height:e>>r});return t.texture.name=`PMREM`,t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=pu(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let r=this._boxMesh,i=this._cubeCamera;r.material=n,i.renderTarget=e,i.activeMipmapLevel=t;let a=e.width>>t;e.viewport.set(0,0,a,a),i.update(this._renderer,r),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===301||e.mapping===302?(this._cubemapMaterial===null&&(this._cubemapMaterial=yu()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=vu()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=hu(),this._integrationMaterial=gu());let n=this._cubeSize,r=t.texture.mipmaps.length-1,i=this._ggxMaterial.uniforms;i.envMap.value=this._sourceTarget.texture;let a=this._integrationMaterial.uniforms;a.envMap.value=this._sourceTarget.texture,a.sourceLod.value=Math.log2(n/cu);for(let o=0;o<=r;o++){let s=e.lodToRoughness(o,r);if(o>r-lu)a.roughness.value=s,this._renderCube(t,o,this._integrationMaterial);else{let e=s>0?Math.log2(n)+.5*Math.log2(6/(su*s**4))+.5:0;i.roughness.value=s,i.lodBias.value=e,this._renderCube(t,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=_u());let n=this._blurMaterial,r=n.uniforms,i=this._sourceTarget;r.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,r.envMap.value=i.texture,this._renderCube(e,0,n),r.envMap.value=e.texture,this._renderCube(i,0,n)}};function pu(e,t,n){return new ru(e,{minFilter:Xr,generateMipmaps:t,type:ii,colorSpace:da,depthBuffer:n})}function mu(e,t,n){return new Yc({name:e,uniforms:t,vertexShader:Y.cube_vert,fragmentShader:n,side:1,blending:0,depthTest:!1,depthWrite:!1})}function hu(){return mu(`PMREMGGXConvolution`,{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${su}u

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
	`)}function gu(){return mu(`PMREMGGXIntegration`,{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:cu}},`

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
	`)}function _u(){return mu(`PMREMSphericalGaussianBlur`,{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${ou}
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
	`)}function vu(){return mu(`PMREMEquirectangularToCubemap`,{envMap:{value:null}},`

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
	`)}function yu(){return mu(`PMREMCubemapToCubemap`,{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function bu(e){let t=new WeakMap,n=new WeakMap,r=null;function i(e,t=!1){return e==null?null:t?o(e):a(e)}function a(n){if(n&&n.isTexture){let r=n.mapping;if(r===303||r===304){if(t.has(n)){let e=t.get(n).texture;return s(e,n.mapping)}{let r=n.image;if(r&&r.height>0){let i=new ru(r.height);return i.fromEquirectangularTexture(e,n),t.set(n,i),n.addEventListener(`dispose`,l),s(i.texture,n.mapping)}return null}}}return n}function o(t){if(t&&t.isTexture&&t.isPMREMTexture!==!0){let i=t.mapping,a=i===303||i===304,o=i===301||i===302;if(a||o){let i=n.get(t),s=i===void 0?0:i.texture.pmremVersion;if(t.isRenderTargetTexture&&t.pmremVersion!==s)return r===null&&(r=new fu(e)),i=a?r.fromEquirectangular(t,i):r.fromCubemap(t,i),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),i.texture;if(i!==void 0)return i.texture;{let s=t.image;return a&&s&&s.height>0||o&&s&&c(s)?(r===null&&(r=new fu(e)),i=a?r.fromEquirectangular(t):r.fromCubemap(t),i.texture.pmremVersion=t.pmremVersion,n.set(t,i),t.addEventListener(`dispose`,u),i.texture):null}}}return t}function s(e,t){return t===303?e.mapping=301:t===304&&(e.mapping=302),e}function c(e){let t=0;for(let n=0;n<6;n++)e[n]!==void 0&&t++;return t===6}function l(e){let n=e.target;n.removeEventListener(`dispose`,l);let r=t.get(n);r!==void 0&&(t.delete(n),r.dispose())}function u(e){let t=e.target;t.removeEventListener(`dispose`,u);let r=n.get(t);r!==void 0&&(n.delete(t),r.dispose())}function d(){t=new WeakMap,n=new WeakMap,r!==null&&(r.dispose(),r=null)}return{get:i,dispose:d}}function xu(e){let t={};function n(n){if(t[n]!==void 0)return t[n];let r=e.getExtension(n);return t[n]=r,r}return{has:function(e){return n(e)!==null},init:function(){n(`EXT_color_buffer_float`),n(`WEBGL_clip_cull_distance`),n(`OES_texture_float_linear`),n(`EXT_color_buffer_half_float`),n(`WEBGL_multisampled_render_to_texture`),n(`WEBGL_render_shared_exponent`)},get:function(e){let t=n(e);return t===null&&Ta(`WebGLRenderer: `+e+` extension not supported.`),t}}}function Su(e,t,n,r){let i={},a=new WeakMap,o=new FinalizationRegistry(e=>delete i[e]);function s(e){c(e.target)}function c(e){e.index!==null&&t.remove(e.index);for(let n in e.attributes)t.remove(e.attributes[n]);e.removeEventListener(`dispose`,s),delete i[e.id],o.unregister(e);let c=a.get(e);c&&(t.remove(c),a.delete(e)),r.releaseStatesOfGeometry(e),e.isInstancedBufferGeometry===!0&&delete e._maxInstanceCount,n.memory.geometries--}function l(e,t){return i[t.id]===void 0&&(t.addEventListener(`dispose`,s),i[t.id]=new WeakRef(t),o.register(t,t.id,t),n.memory.geometries++),t}function u(n){let r=n.attributes;for(let n in r)t.update(r[n],e.ARRAY_BUFFER)}function d(e){let n=e.index,r=e.attributes.position,i=0;if(r===void 0)return;let o=n===null?r.array.length/3-1:n.array.length,s=new(r.count>=65535?Es:Ts)(Math.ceil(o/3)*6,1),c=s.array;if(n!==null){let e=n.array;i=n.version;for(let t=0,n=0;t<o;t+=3){let r=e[t+0],i=e[t+1],a=e[t+2];c[n++]=r,c[n++]=i,c[n++]=i,c[n++]=a,c[n++]=a,c[n++]=r}}else{i=r.version;for(let e=0,t=0;e<o;e+=3){let n=e+0,r=e+1,i=e+2;c[t++]=n,c[t++]=r,c[t++]=r,c[t++]=i,c[t++]=i,c[t++]=n}}s.version=i;let l=a.get(e);l&&t.remove(l),a.set(e,s)}function f(e){let t=a.get(e);if(t){let n=e.index;n!==null&&t.version<n.version&&d(e)}else d(e);return a.get(e)}function p(){for(let e in i){let t=i[e].deref();t!==void 0&&c(t)}}return{get:l,update:u,getWireframeAttribute:f,dispose:p}}function Cu(e,t,n){let r;function i(e){r=e}let a,o;function s(e){a=e.type,o=e.bytesPerElement}function c(t,i){e.drawElements(r,i,a,t*o),n.update(i,r,1)}function l(t,i,s){s!==0&&(e.drawElementsInstanced(r,i,a,t*o,s),n.update(i,r,s))}function u(e,i,o){if(o===0)return;t.get(`WEBGL_multi_draw`).multiDrawElementsWEBGL(r,i,0,a,e,0,o);let s=0;for(let e=0;e<o;e++)s+=i[e];n.update(s,r,1)}this.setMode=i,this.setIndex=s,this.render=c,this.renderInstances=l,this.renderMultiDraw=u}function wu(e){let t={geometries:0,textures:0},n={frame:0,calls:0,triangles:0,points:0,lines:0};function r(t,r,i){switch(n.calls++,r){case e.TRIANGLES:n.triangles+=t/3*i;break;case e.LINES:n.lines+=t/2*i;break;case e.LINE_STRIP:n.lines+=i*(t-1);break;case e.LINE_LOOP:n.lines+=i*t;break;case e.POINTS:n.points+=i*t;break;default:U(`WebGLInfo: Unknown draw mode:`,r)}}function i(){n.calls=0,n.triangles=0,n.points=0,n.lines=0}return{memory:t,render:n,programs:null,autoReset:!0,reset:i,update:r}}function Tu(e,t,n){let r=new WeakMap,i=new ro;function a(a,o,s){let c=a.morphTargetInfluences,l=o.morphAttributes.position||o.morphAttributes.normal||o.morphAttributes.color,u=l===void 0?0:l.length,d=r.get(o);if(d===void 0||d.count!==u){d!==void 0&&d.texture.dispose();let e=o.morphAttributes.position!==void 0,n=o.morphAttributes.normal!==void 0,a=o.morphAttributes.color!==void 0,s=o.morphAttributes.position||[],c=o.morphAttributes.normal||[],l=o.morphAttributes.color||[],f=0;e===!0&&(f=1),n===!0&&(f=2),a===!0&&(f=3);let p=o.attributes.position.count*f,m=1;p>t.maxTextureSize&&(m=Math.ceil(p/t.maxTextureSize),p=t.maxTextureSize);let h=new Float32Array(p*m*4*u),g=new oo(h,p,m,u);g.type=ri,g.needsUpdate=!0;let _=f*4;for(let t=0;t<u;t++){let r=s[t],o=c[t],u=l[t],d=p*m*4*t;for(let t=0;t<r.count;t++){let s=t*_;e===!0&&(i.fromBufferAttribute(r,t),h[d+s+0]=i.x,h[d+s+1]=i.y,h[d+s+2]=i.z,h[d+s+3]=0),n===!0&&(i.fromBufferAttribute(o,t),h[d+s+4]=i.x,h[d+s+5]=i.y,h[d+s+6]=i.z,h[d+s+7]=0),a===!0&&(i.fromBufferAttribute(u,t),h[d+s+8]=i.x,h[d+s+9]=i.y,h[d+s+10]=i.z,h[d+s+11]=u.itemSize===4?i.w:1)}}d={count:u,texture:g,size:new za(p,m)},r.set(o,d);function v(){g.dispose(),r.delete(o),o.removeEventListener(`dispose`,v)}o.addEventListener(`dispose`,v)}if(a.isInstancedMesh===!0&&a.morphTexture!==null)s.getUniforms().setValue(e,`morphTexture`,a.morphTexture,n);else{let t=0;for(let e=0;e<c.length;e++)t+=c[e];let n=o.morphTargetsRelative?1:1-t;s.getUniforms().setValue(e,`morphTargetBaseInfluence`,n),s.getUniforms().setValue(e,`morphTargetInfluences`,c)}s.getUniforms().setValue(e,`morphTargetsTexture`,d.texture,n),s.getUniforms().setValue(e,`morphTargetsTextureSize`,d.size)}return{update:a}}function Eu(e,t,n,r,i){let a=new WeakMap;function o(r){let o=i.render.frame,s=r.geometry,l=t.get(r,s);if(a.get(l)!==o&&(t.update(l),a.set(l,o)),r.isInstancedMesh&&(r.hasEventListener(`dispose`,c)===!1&&r.addEventListener(`dispose`,c),a.get(r)!==o&&(n.update(r.instanceMatrix,e.ARRAY_BUFFER),r.instanceColor!==null&&n.update(r.instanceColor,e.ARRAY_BUFFER),a.set(r,o))),r.isSkinnedMesh){let e=r.skeleton;a.get(e)!==o&&(e.update(),a.set(e,o))}return l}function s(){a=new WeakMap}function c(e){let t=e.target;t.removeEventListener(`dispose`,c),r.releaseStatesOfObject(t),n.remove(t.instanceMatrix),t.instanceColor!==null&&n.remove(t.instanceColor)}return{update:o,dispose:s}}var Du={1:`LINEAR_TONE_MAPPING`,2:`REINHARD_TONE_MAPPING`,3:`CINEON_TONE_MAPPING`,4:`ACES_FILMIC_TONE_MAPPING`,6:`AGX_TONE_MAPPING`,7:`NEUTRAL_TONE_MAPPING`,5:`CUSTOM_TONE_MAPPING`};function Ou(e,t,n,r,i,a){let o=new ao(t,n,{type:e,depthBuffer:i,stencilBuffer:a,samples:r?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),s=null,c=null,l=null,u=new zs;u.setAttribute(`position`,new Ds([-1,3,0,-1,-1,0,3,-1,0],3)),u.setAttribute(`uv`,new Ds([0,2,0,0,2,0],2));let d=new Xc({uniforms:{tDiffuse:{value:null}},vertexShader:`
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
			}`,depthTest:!1,depthWrite:!1}),f=new lc(u,d),p=new Dl(-1,1,1,-1,0,1),m=null,h=null,g=!1,_,v=null,y=[],b=!1;this.setSize=function(e,t){o.setSize(e,t),s!==null&&s.setSize(e,t),c!==null&&c.setSize(e,t);for(let n=0;n<y.length;n++){let r=y[n];r.setSize&&r.setSize(e,t)}},this.setEffects=function(e){y=e,b=y.length>0&&y[0].isRenderPass===!0;let t=o.width,n=o.height;y.length>0&&s===null&&(s=new ao(t,n,{type:ii,depthBuffer:!1,stencilBuffer:!1}),c=new ao(t,n,{type:ii,depthBuffer:!1,stencilBuffer:!1}));let r=i===!0&&y.some(e=>e.needsDepthTexture===!0);r!==(o.depthTexture!==null)&&(r===!0&&l===null&&(l=new Ic(t,n),a===!0&&(l.format=mi,l.type=si)),o.dispose(),o.depthTexture=r?l:null,o.resolveDepthBuffer=r,o.storeMultisampledDepthBuffer=r);for(let e=0;e<y.length;e++){let i=y[e];i.setSize&&i.setSize(t,n),r&&i.needsDepthTexture===!0&&i.setDepthTexture&&i.setDepthTexture(l)}},this.begin=function(e,t){if(g||e.toneMapping===0&&y.length===0)return!1;if(v=t,t!==null){let e=t.width,n=t.height;(o.width!==e||o.height!==n)&&this.setSize(e,n)}return b===!1&&e.setRenderTarget(o),_=e.toneMapping,e.toneMapping=0,!0},this.hasRenderPass=function(){return b},this.end=function(e,t){e.toneMapping=_,g=!0;let n=o,r=s;for(let i=0;i<y.length;i++){let a=y[i];a.enabled!==!1&&(a.render(e,r,n,t),a.needsSwap!==!1&&(n=r,r=r===s?c:s))}if(m!==e.outputColorSpace||h!==e.toneMapping){m=e.outputColorSpace,h=e.toneMapping,d.defines={},q.getTransfer(m)===`srgb`&&(d.defines.SRGB_TRANSFER=``);let t=Du[h];t&&(d.defines[t]=``),d.needsUpdate=!0}d.uniforms.tDiffuse.value=n.texture,e.setRenderTarget(v),e.render(f,p),v=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),s!==null&&s.dispose(),c!==null&&c.dispose(),u.dispose(),d.dispose()}}var ku=new no,Au=new Ic(1,1),ju=new Lc(1),Mu=new oo,Nu=new so,Pu=new Fc,Fu=[],Iu=[],Lu=new Float32Array(16),Ru=new Float32Array(9),zu=new Float32Array(4);function Bu(e,t,n){let r=e[0];if(r<=0||r>0)return e;let i=t*n,a=Fu[i];if(a===void 0&&(a=new Float32Array(i),Fu[i]=a),t!==0){r.toArray(a,0);for(let r=1,i=0;r!==t;++r)i+=n,e[r].toArray(a,i)}return a}function Vu(e,t){if(e.length!==t.length)return!1;for(let n=0,r=e.length;n<r;n++)if(e[n]!==t[n])return!1;return!0}function Hu(e,t){for(let n=0,r=t.length;n<r;n++)e[n]=t[n]}function Uu(e,t){let n=Iu[t];n===void 0&&(n=new Int32Array(t),Iu[t]=n);for(let r=0;r!==t;++r)n[r]=e.allocateTextureUnit();return n}function Wu(e,t){let n=this.cache;n[0]!==t&&(e.uniform1f(this.addr,t),n[0]=t)}function Gu(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2f(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Vu(n,t))return;e.uniform2fv(this.addr,t),Hu(n,t)}}function Ku(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3f(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else if(t.r!==void 0)(n[0]!==t.r||n[1]!==t.g||n[2]!==t.b)&&(e.uniform3f(this.addr,t.r,t.g,t.b),n[0]=t.r,n[1]=t.g,n[2]=t.b);else{if(Vu(n,t))return;e.uniform3fv(this.addr,t),Hu(n,t)}}function qu(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4f(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Vu(n,t))return;e.uniform4fv(this.addr,t),Hu(n,t)}}function Ju(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Vu(n,t))return;e.uniformMatrix2fv(this.addr,!1,t),Hu(n,t)}else{if(Vu(n,r))return;zu.set(r),e.uniformMatrix2fv(this.addr,!1,zu),Hu(n,r)}}function Yu(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Vu(n,t))return;e.uniformMatrix3fv(this.addr,!1,t),Hu(n,t)}else{if(Vu(n,r))return;Ru.set(r),e.uniformMatrix3fv(this.addr,!1,Ru),Hu(n,r)}}function Xu(e,t){let n=this.cache,r=t.elements;if(r===void 0){if(Vu(n,t))return;e.uniformMatrix4fv(this.addr,!1,t),Hu(n,t)}else{if(Vu(n,r))return;Lu.set(r),e.uniformMatrix4fv(this.addr,!1,Lu),Hu(n,r)}}function Zu(e,t){let n=this.cache;n[0]!==t&&(e.uniform1i(this.addr,t),n[0]=t)}function Qu(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2i(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Vu(n,t))return;e.uniform2iv(this.addr,t),Hu(n,t)}}function $u(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3i(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(Vu(n,t))return;e.uniform3iv(this.addr,t),Hu(n,t)}}function ed(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4i(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Vu(n,t))return;e.uniform4iv(this.addr,t),Hu(n,t)}}function td(e,t){let n=this.cache;n[0]!==t&&(e.uniform1ui(this.addr,t),n[0]=t)}function nd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y)&&(e.uniform2ui(this.addr,t.x,t.y),n[0]=t.x,n[1]=t.y);else{if(Vu(n,t))return;e.uniform2uiv(this.addr,t),Hu(n,t)}}function rd(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z)&&(e.uniform3ui(this.addr,t.x,t.y,t.z),n[0]=t.x,n[1]=t.y,n[2]=t.z);else{if(Vu(n,t))return;e.uniform3uiv(this.addr,t),Hu(n,t)}}function id(e,t){let n=this.cache;if(t.x!==void 0)(n[0]!==t.x||n[1]!==t.y||n[2]!==t.z||n[3]!==t.w)&&(e.uniform4ui(this.addr,t.x,t.y,t.z,t.w),n[0]=t.x,n[1]=t.y,n[2]=t.z,n[3]=t.w);else{if(Vu(n,t))return;e.uniform4uiv(this.addr,t),Hu(n,t)}}function ad(e){return e.version===0&&(e.compareFunction=519,e.needsUpdate=!0),e}function od(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_2D_SHADOW?ad(Au):ku,n.setTexture2D(t||a,i)}function sd(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture3D(t||Nu,i)}function cd(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i);let a;a=this.type===e.SAMPLER_CUBE_SHADOW?ad(ju):Pu,n.setTextureCube(t||a,i)}function ld(e,t,n){let r=this.cache,i=n.allocateTextureUnit();r[0]!==i&&(e.uniform1i(this.addr,i),r[0]=i),n.setTexture2DArray(t||Mu,i)}function ud(e){switch(e){case 5126:return Wu;case 35664:return Gu;case 35665:return Ku;case 35666:return qu;case 35674:return Ju;case 35675:return Yu;case 35676:return Xu;case 5124:case 35670:return Zu;case 35667:case 35671:return Qu;case 35668:case 35672:return $u;case 35669:case 35673:return ed;case 5125:return td;case 36294:return nd;case 36295:return rd;case 36296:return id;case 35678:case 36198:case 36298:case 36306:case 35682:return od;case 35679:case 36299:case 36307:return sd;case 35680:case 36300:case 36308:case 36293:return cd;case 36289:case 36303:case 36311:case 36292:return ld}}function dd(e,t){e.uniform1fv(this.addr,t)}function fd(e,t){let n=Bu(t,this.size,2);e.uniform2fv(this.addr,n)}function pd(e,t){let n=Bu(t,this.size,3);e.uniform3fv(this.addr,n)}function md(e,t){let n=Bu(t,this.size,4);e.uniform4fv(this.addr,n)}function hd(e,t){let n=Bu(t,this.size,4);e.uniformMatrix2fv(this.addr,!1,n)}function gd(e,t){let n=Bu(t,this.size,9);e.uniformMatrix3fv(this.addr,!1,n)}function _d(e,t){let n=Bu(t,this.size,16);e.uniformMatrix4fv(this.addr,!1,n)}function vd(e,t){e.uniform1iv(this.addr,t)}function yd(e,t){e.uniform2iv(this.addr,t)}function bd(e,t){e.uniform3iv(this.addr,t)}function xd(e,t){e.uniform4iv(this.addr,t)}function Sd(e,t){e.uniform1uiv(this.addr,t)}function Cd(e,t){e.uniform2uiv(this.addr,t)}function wd(e,t){e.uniform3uiv(this.addr,t)}function Td(e,t){e.uniform4uiv(this.addr,t)}function Ed(e,t,n){let r=this.cache,i=t.length,a=Uu(n,i);Vu(r,a)||(e.uniform1iv(this.addr,a),Hu(r,a));let o;o=this.type===e.SAMPLER_2D_SHADOW?ad(Au):ku;for(let e=0;e!==i;++e)n.setTexture2D(t[e]||o,a[e])}function Dd(e,t,n){let r=this.cache,i=t.length,a=Uu(n,i);Vu(r,a)||(e.uniform1iv(this.addr,a),Hu(r,a));for(let e=0;e!==i;++e)n.setTexture3D(t[e]||Nu,a[e])}function Od(e,t,n){let r=this.cache,i=t.length,a=Uu(n,i);Vu(r,a)||(e.uniform1iv(this.addr,a),Hu(r,a));let o;o=this.type===e.SAMPLER_CUBE_SHADOW?ad(ju):Pu;for(let e=0;e!==i;++e)n.setTextureCube(t[e]||o,a[e])}function kd(e,t,n){let r=this.cache,i=t.length,a=Uu(n,i);Vu(r,a)||(e.uniform1iv(this.addr,a),Hu(r,a));for(let e=0;e!==i;++e)n.setTexture2DArray(t[e]||Mu,a[e])}function Ad(e){switch(e){case 5126:return dd;case 35664:return fd;case 35665:return pd;case 35666:return md;case 35674:return hd;case 35675:return gd;case 35676:return _d;case 5124:case 35670:return vd;case 35667:case 35671:return yd;case 35668:case 35672:return bd;case 35669:case 35673:return xd;case 5125:return Sd;case 36294:return Cd;case 36295:return wd;case 36296:return Td;case 35678:case 36198:case 36298:case 36306:case 35682:return Ed;case 35679:case 36299:case 36307:return Dd;case 35680:case 36300:case 36308:case 36293:return Od;case 36289:case 36303:case 36311:case 36292:return kd}}var jd=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=ud(t.type)}},Md=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=Ad(t.type)}},Nd=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let r=this.seq;for(let i=0,a=r.length;i!==a;++i){let a=r[i];a.setValue(e,t[a.id],n)}}},Pd=/(\w+)(\])?(\[|\.)?/g;function Fd(e,t){e.seq.push(t),e.map[t.id]=t}function Id(e,t,n){let r=e.name,i=r.length;for(Pd.lastIndex=0;;){let a=Pd.exec(r),o=Pd.lastIndex,s=a[1],c=a[2]===`]`,l=a[3];if(c&&(s|=0),l===void 0||l===`[`&&o+2===i){Fd(n,l===void 0?new jd(s,e,t):new Md(s,e,t));break}{let e=n.map[s];e===void 0&&(e=new Nd(s),Fd(n,e)),n=e}}}var Ld=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let r=0;r<n;++r){let n=e.getActiveUniform(t,r);Id(n,e.getUniformLocation(t,n.name),this)}let r=[],i=[];for(let t of this.seq)t.type===e.SAMPLER_2D_SHADOW||t.type===e.SAMPLER_CUBE_SHADOW||t.type===e.SAMPLER_2D_ARRAY_SHADOW?r.push(t):i.push(t);r.length>0&&(this.seq=r.concat(i))}setValue(e,t,n,r){let i=this.map[t];i!==void 0&&i.setValue(e,n,r)}setOptional(e,t,n){let r=t[n];r!==void 0&&this.setValue(e,n,r)}static upload(e,t,n,r){for(let i=0,a=t.length;i!==a;++i){let a=t[i],o=n[a.id];o.needsUpdate!==!1&&a.setValue(e,o.value,r)}}static seqWithValue(e,t){let n=[];for(let r=0,i=e.length;r!==i;++r){let i=e[r];i.id in t&&n.push(i)}return n}};function Rd(e,t,n){let r=e.createShader(t);return e.shaderSource(r,n),e.compileShader(r),r}var zd=37297,Bd=0;function Vd(e,t){let n=e.split(`
`),r=[],i=Math.max(t-6,0),a=Math.min(t+6,n.length);for(let e=i;e<a;e++){let i=e+1;r.push(`${i===t?`>`:` `} ${i}: ${n[e]}`)}return r.join(`
`)}var Hd=new K;function Ud(e){q._getMatrix(Hd,q.workingColorSpace,e);let t=`mat3( ${Hd.elements.map(e=>e.toFixed(4))} )`;switch(q.getTransfer(e)){case fa:return[t,`LinearTransferOETF`];case pa:return[t,`sRGBTransferOETF`];default:return H(`WebGLProgram: Unsupported color space: `,e),[t,`LinearTransferOETF`]}}function Wd(e,t,n){let r=e.getShaderParameter(t,e.COMPILE_STATUS),i=(e.getShaderInfoLog(t)||``).trim();if(r&&i===``)return``;let a=/ERROR: 0:(\d+)/.exec(i);if(a){let r=parseInt(a[1]);return n.toUpperCase()+`

`+i+`

`+Vd(e.getShaderSource(t),r)}return i}function Gd(e,t){let n=Ud(t);return[`vec4 ${e}( vec4 value ) {`,`	return ${n[1]}( vec4( ${n[0]} * value.rgb, value.a ) );`,`}`].join(`
`)}var Kd={1:`Linear`,2:`Reinhard`,3:`Cineon`,4:`ACESFilmic`,6:`AgX`,7:`Neutral`,5:`Custom`};function qd(e,t){let n=Kd[t];return n===void 0?(H(`WebGLProgram: Unsupported toneMapping:`,t),`vec3 `+e+`( vec3 color ) { return LinearToneMapping( color ); }`):`vec3 `+e+`( vec3 color ) { return `+n+`ToneMapping( color ); }`}var Jd=new G;function Yd(){return q.getLuminanceCoefficients(Jd),[`float luminance( const in vec3 rgb ) {`,`	const vec3 weights = vec3( ${Jd.x.toFixed(4)}, ${Jd.y.toFixed(4)}, ${Jd.z.toFixed(4)} );`,`	return dot( weights, rgb );`,`}`].join(`
`)}function Xd(e){return[e.extensionClipCullDistance?`#extension GL_ANGLE_clip_cull_distance : require`:``,e.extensionMultiDraw?`#extension GL_ANGLE_multi_draw : require`:``].filter($d).join(`
`)}function Zd(e){let t=[];for(let n in e){let r=e[n];r!==!1&&t.push(`#define `+n+` `+r)}return t.join(`
`)}function Qd(e,t){let n={},r=e.getProgramParameter(t,e.ACTIVE_ATTRIBUTES);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i),a=r.name,o=1;r.type===e.FLOAT_MAT2&&(o=2),r.type===e.FLOAT_MAT3&&(o=3),r.type===e.FLOAT_MAT4&&(o=4),n[a]={type:r.type,location:e.getAttribLocation(t,a),locationSize:o}}return n}function $d(e){return e!==``}function ef(e,t){let n=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return e.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,n).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function tf(e,t){return e.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var nf=/^[ \t]*#include +<([\w\d./]+)>/gm;function rf(e){return e.replace(nf,af)}function af(e,t){let n=Y[t];if(n===void 0)throw Error(`THREE.WebGLProgram: Can not resolve #include <`+t+`>`);return rf(n)}var of=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function sf(e){return e.replace(of,cf)}function cf(e,t,n,r){let i=``;for(let e=parseInt(t);e<parseInt(n);e++)i+=r.replace(/\[\s*i\s*\]/g,`[ `+e+` ]`).replace(/UNROLLED_LOOP_INDEX/g,e);return i}function lf(e){let t=`precision ${e.precision} float;
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
#define LOW_PRECISION`),t}var uf={1:`SHADOWMAP_TYPE_PCF`,3:`SHADOWMAP_TYPE_VSM`};function df(e){return uf[e.shadowMapType]||`SHADOWMAP_TYPE_BASIC`}var ff={302:`ENVMAP_MODE_REFRACTION`};function pf(e){return e.envMap===!1?`ENVMAP_MODE_REFLECTION`:ff[e.envMapMode]||`ENVMAP_MODE_REFLECTION`}var mf={0:`ENVMAP_BLENDING_MULTIPLY`,1:`ENVMAP_BLENDING_MIX`,2:`ENVMAP_BLENDING_ADD`};function hf(e){return e.envMap===!1?`ENVMAP_BLENDING_NONE`:mf[e.combine]||`ENVMAP_BLENDING_NONE`}function gf(e,t,n,r){let i=e.getContext(),a=n.defines,o=n.vertexShader,s=n.fragmentShader,c=df(n),l=n.envMapPMREM===!0?`ENVMAP_TYPE_PMREM`:`ENVMAP_TYPE_CUBE`,u=pf(n),d=hf(n),f=Xd(n),p=Zd(a),m=i.createProgram(),h,g,_=n.glslVersion?`#version `+n.glslVersion+`
`:``;n.isRawShaderMaterial?(h=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter($d).join(`
`),h.length>0&&(h+=`
`),g=[`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p].filter($d).join(`
`),g.length>0&&(g+=`
`)):(h=[lf(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.extensionClipCullDistance?`#define USE_CLIP_DISTANCE`:``,n.batching?`#define USE_BATCHING`:``,n.batchingColor?`#define USE_BATCHING_COLOR`:``,n.instancing?`#define USE_INSTANCING`:``,n.instancingColor?`#define USE_INSTANCING_COLOR`:``,n.instancingMorph?`#define USE_INSTANCING_MORPH`:``,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.map?`#define USE_MAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+u:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.displacementMap?`#define USE_DISPLACEMENTMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.mapUv?`#define MAP_UV `+n.mapUv:``,n.alphaMapUv?`#define ALPHAMAP_UV `+n.alphaMapUv:``,n.lightMapUv?`#define LIGHTMAP_UV `+n.lightMapUv:``,n.aoMapUv?`#define AOMAP_UV `+n.aoMapUv:``,n.emissiveMapUv?`#define EMISSIVEMAP_UV `+n.emissiveMapUv:``,n.bumpMapUv?`#define BUMPMAP_UV `+n.bumpMapUv:``,n.normalMapUv?`#define NORMALMAP_UV `+n.normalMapUv:``,n.displacementMapUv?`#define DISPLACEMENTMAP_UV `+n.displacementMapUv:``,n.metalnessMapUv?`#define METALNESSMAP_UV `+n.metalnessMapUv:``,n.roughnessMapUv?`#define ROUGHNESSMAP_UV `+n.roughnessMapUv:``,n.anisotropyMapUv?`#define ANISOTROPYMAP_UV `+n.anisotropyMapUv:``,n.clearcoatMapUv?`#define CLEARCOATMAP_UV `+n.clearcoatMapUv:``,n.clearcoatNormalMapUv?`#define CLEARCOAT_NORMALMAP_UV `+n.clearcoatNormalMapUv:``,n.clearcoatRoughnessMapUv?`#define CLEARCOAT_ROUGHNESSMAP_UV `+n.clearcoatRoughnessMapUv:``,n.diffuseRoughnessMapUv?`#define DIFFUSE_ROUGHNESSMAP_UV `+n.diffuseRoughnessMapUv:``,n.iridescenceMapUv?`#define IRIDESCENCEMAP_UV `+n.iridescenceMapUv:``,n.iridescenceThicknessMapUv?`#define IRIDESCENCE_THICKNESSMAP_UV `+n.iridescenceThicknessMapUv:``,n.sheenColorMapUv?`#define SHEEN_COLORMAP_UV `+n.sheenColorMapUv:``,n.sheenRoughnessMapUv?`#define SHEEN_ROUGHNESSMAP_UV `+n.sheenRoughnessMapUv:``,n.specularMapUv?`#define SPECULARMAP_UV `+n.specularMapUv:``,n.specularColorMapUv?`#define SPECULAR_COLORMAP_UV `+n.specularColorMapUv:``,n.specularIntensityMapUv?`#define SPECULAR_INTENSITYMAP_UV `+n.specularIntensityMapUv:``,n.transmissionMapUv?`#define TRANSMISSIONMAP_UV `+n.transmissionMapUv:``,n.thicknessMapUv?`#define THICKNESSMAP_UV `+n.thicknessMapUv:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexNormals?`#define HAS_NORMAL`:``,n.vertexColors?`#define USE_COLOR`:``,n.vertexAlphas?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.flatShading?`#define FLAT_SHADED`:``,n.skinning?`#define USE_SKINNING`:``,n.morphTargets?`#define USE_MORPHTARGETS`:``,n.morphNormals&&n.flatShading===!1?`#define USE_MORPHNORMALS`:``,n.morphColors?`#define USE_MORPHCOLORS`:``,n.morphTargetsCount>0?`#define MORPHTARGETS_TEXTURE_STRIDE `+n.morphTextureStride:``,n.morphTargetsCount>0?`#define MORPHTARGETS_COUNT `+n.morphTargetsCount:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.sizeAttenuation?`#define USE_SIZEATTENUATION`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 modelMatrix;`,`uniform mat4 modelViewMatrix;`,`uniform mat4 projectionMatrix;`,`uniform mat4 viewMatrix;`,`uniform mat3 normalMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,`#ifdef USE_INSTANCING`,`	attribute mat4 instanceMatrix;`,`#endif`,`#ifdef USE_INSTANCING_COLOR`,`	attribute vec3 instanceColor;`,`#endif`,`#ifdef USE_INSTANCING_MORPH`,`	uniform sampler2D morphTexture;`,`#endif`,`attribute vec3 position;`,`attribute vec3 normal;`,`attribute vec2 uv;`,`#ifdef USE_UV1`,`	attribute vec2 uv1;`,`#endif`,`#ifdef USE_UV2`,`	attribute vec2 uv2;`,`#endif`,`#ifdef USE_UV3`,`	attribute vec2 uv3;`,`#endif`,`#ifdef USE_TANGENT`,`	attribute vec4 tangent;`,`#endif`,`#if defined( USE_COLOR_ALPHA )`,`	attribute vec4 color;`,`#elif defined( USE_COLOR )`,`	attribute vec3 color;`,`#endif`,`#ifdef USE_SKINNING`,`	attribute vec4 skinIndex;`,`	attribute vec4 skinWeight;`,`#endif`,`
`].filter($d).join(`
`),g=[lf(n),`#define SHADER_TYPE `+n.shaderType,`#define SHADER_NAME `+n.shaderName,p,n.useFog&&n.fog?`#define USE_FOG`:``,n.useFog&&n.fogExp2?`#define FOG_EXP2`:``,n.alphaToCoverage?`#define ALPHA_TO_COVERAGE`:``,n.map?`#define USE_MAP`:``,n.matcap?`#define USE_MATCAP`:``,n.envMap?`#define USE_ENVMAP`:``,n.envMap?`#define `+l:``,n.envMap?`#define `+u:``,n.envMap?`#define `+d:``,n.envMapPMREM?`#define ENVMAP_MAX_LOD `+n.envMapMaxLod+`.0`:``,n.envMapPMREM?`#define ENVMAP_SIZE `+n.envMapSize+`.0`:``,n.lightMap?`#define USE_LIGHTMAP`:``,n.aoMap?`#define USE_AOMAP`:``,n.bumpMap?`#define USE_BUMPMAP`:``,n.normalMap?`#define USE_NORMALMAP`:``,n.normalMapObjectSpace?`#define USE_NORMALMAP_OBJECTSPACE`:``,n.normalMapTangentSpace?`#define USE_NORMALMAP_TANGENTSPACE`:``,n.packedNormalMap?`#define USE_PACKED_NORMALMAP`:``,n.emissiveMap?`#define USE_EMISSIVEMAP`:``,n.anisotropy?`#define USE_ANISOTROPY`:``,n.anisotropyMap?`#define USE_ANISOTROPYMAP`:``,n.clearcoat?`#define USE_CLEARCOAT`:``,n.clearcoatMap?`#define USE_CLEARCOATMAP`:``,n.clearcoatRoughnessMap?`#define USE_CLEARCOAT_ROUGHNESSMAP`:``,n.clearcoatNormalMap?`#define USE_CLEARCOAT_NORMALMAP`:``,n.diffuseRoughness?`#define USE_DIFFUSE_ROUGHNESS`:``,n.diffuseRoughnessMap?`#define USE_DIFFUSE_ROUGHNESSMAP`:``,n.dispersion?`#define USE_DISPERSION`:``,n.retroreflection?`#define USE_RETROREFLECTION`:``,n.iridescence?`#define USE_IRIDESCENCE`:``,n.iridescenceMap?`#define USE_IRIDESCENCEMAP`:``,n.iridescenceThicknessMap?`#define USE_IRIDESCENCE_THICKNESSMAP`:``,n.specularMap?`#define USE_SPECULARMAP`:``,n.specularColorMap?`#define USE_SPECULAR_COLORMAP`:``,n.specularIntensityMap?`#define USE_SPECULAR_INTENSITYMAP`:``,n.roughnessMap?`#define USE_ROUGHNESSMAP`:``,n.metalnessMap?`#define USE_METALNESSMAP`:``,n.alphaMap?`#define USE_ALPHAMAP`:``,n.alphaTest?`#define USE_ALPHATEST`:``,n.alphaHash?`#define USE_ALPHAHASH`:``,n.sheen?`#define USE_SHEEN`:``,n.sheenColorMap?`#define USE_SHEEN_COLORMAP`:``,n.sheenRoughnessMap?`#define USE_SHEEN_ROUGHNESSMAP`:``,n.transmission?`#define USE_TRANSMISSION`:``,n.transmissionMap?`#define USE_TRANSMISSIONMAP`:``,n.thicknessMap?`#define USE_THICKNESSMAP`:``,n.vertexTangents&&n.flatShading===!1?`#define USE_TANGENT`:``,n.vertexColors||n.instancingColor?`#define USE_COLOR`:``,n.vertexAlphas||n.batchingColor?`#define USE_COLOR_ALPHA`:``,n.vertexUv1s?`#define USE_UV1`:``,n.vertexUv2s?`#define USE_UV2`:``,n.vertexUv3s?`#define USE_UV3`:``,n.pointsUvs?`#define USE_POINTS_UV`:``,n.gradientMap?`#define USE_GRADIENTMAP`:``,n.flatShading?`#define FLAT_SHADED`:``,n.doubleSided?`#define DOUBLE_SIDED`:``,n.flipSided?`#define FLIP_SIDED`:``,n.shadowMapEnabled?`#define USE_SHADOWMAP`:``,n.shadowMapEnabled?`#define `+c:``,n.premultipliedAlpha?`#define PREMULTIPLIED_ALPHA`:``,n.numLightProbes>0?`#define USE_LIGHT_PROBES`:``,n.decodeVideoTexture?`#define DECODE_VIDEO_TEXTURE`:``,n.decodeVideoTextureEmissive?`#define DECODE_VIDEO_TEXTURE_EMISSIVE`:``,n.logarithmicDepthBuffer?`#define USE_LOGARITHMIC_DEPTH_BUFFER`:``,n.reversedDepthBuffer?`#define USE_REVERSED_DEPTH_BUFFER`:``,`uniform mat4 viewMatrix;`,`uniform vec3 cameraPosition;`,`uniform bool isOrthographic;`,n.toneMapping===0?``:`#define TONE_MAPPING`,n.toneMapping===0?``:Y.tonemapping_pars_fragment,n.toneMapping===0?``:qd(`toneMapping`,n.toneMapping),n.dithering?`#define DITHERING`:``,n.opaque?`#define OPAQUE`:``,Y.colorspace_pars_fragment,Gd(`linearToOutputTexel`,n.outputColorSpace),Yd(),n.useDepthPacking?`#define DEPTH_PACKING `+n.depthPacking:``,`
`].filter($d).join(`
`)),o=rf(o),o=ef(o,n),o=tf(o,n),s=rf(s),s=ef(s,n),s=tf(s,n),o=sf(o),s=sf(s),n.isRawShaderMaterial!==!0&&(_=`#version 300 es
`,h=[f,`#define attribute in`,`#define varying out`,`#define texture2D texture`].join(`
`)+`
`+h,g=[`#define varying in`,n.glslVersion===`300 es`?``:`layout(location = 0) out highp vec4 pc_fragColor;`,n.glslVersion===`300 es`?``:`#define gl_FragColor pc_fragColor`,`#define gl_FragDepthEXT gl_FragDepth`,`#define texture2D texture`,`#define textureCube texture`,`#define texture2DProj textureProj`,`#define texture2DLodEXT textureLod`,`#define texture2DProjLodEXT textureProjLod`,`#define textureCubeLodEXT textureLod`,`#define texture2DGradEXT textureGrad`,`#define texture2DProjGradEXT textureProjGrad`,`#define textureCubeGradEXT textureGrad`].join(`
`)+`
`+g);let v=_+h+o,y=_+g+s,b=Rd(i,i.VERTEX_SHADER,v),x=Rd(i,i.FRAGMENT_SHADER,y);i.attachShader(m,b),i.attachShader(m,x),n.index0AttributeName===void 0?n.hasPositionAttribute===!0&&i.bindAttribLocation(m,0,`position`):i.bindAttribLocation(m,0,n.index0AttributeName),i.linkProgram(m);function S(t){if(e.debug.checkShaderErrors){let n=i.getProgramInfoLog(m)||``,r=i.getShaderInfoLog(b)||``,a=i.getShaderInfoLog(x)||``,o=n.trim(),s=r.trim(),c=a.trim(),l=!0,u=!0;if(i.getProgramParameter(m,i.LINK_STATUS)===!1){if(l=!1,typeof e.debug.onShaderError==`function`)e.debug.onShaderError(i,m,b,x);else{let e=Wd(i,b,`vertex`),n=Wd(i,x,`fragment`);U(`WebGLProgram: Shader Error `+i.getError()+` - VALIDATE_STATUS `+i.getProgramParameter(m,i.VALIDATE_STATUS)+`

Material Name: `+t.name+`
Material Type: `+t.type+`

Program Info Log: `+o+`
`+e+`
`+n)}}else o===``?(s===``||c===``)&&(u=!1):H(`WebGLProgram: Program Info Log:`,o);u&&(t.diagnostics={runnable:l,programLog:o,vertexShader:{log:s,prefix:h},fragmentShader:{log:c,prefix:g}})}i.deleteShader(b),i.deleteShader(x),C=new Ld(i,m),w=Qd(i,m)}let C;this.getUniforms=function(){return C===void 0&&S(this),C};let w;this.getAttributes=function(){return w===void 0&&S(this),w};let T=n.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return T===!1&&(T=i.getProgramParameter(m,zd)),T},this.destroy=function(){r.releaseStatesOfProgram(this),i.deleteProgram(m),this.program=void 0},this.type=n.shaderType,this.name=n.shaderName,this.id=Bd++,this.cacheKey=t,this.usedTimes=1,this.program=m,this.vertexShader=b,this.fragmentShader=x,this}var _f=0,vf=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let r=this._getShaderCacheForMaterial(e);return r.has(t)===!1&&(r.add(t),t.usedTimes++),r.has(n)===!1&&(r.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let e of t)e.usedTimes--,e.usedTimes===0&&this.shaderCache.delete(e.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new yf(e),t.set(e,n)),n}},yf=class{constructor(e){this.id=_f++,this.code=e,this.usedTimes=0}};function bf(e){return e===1030||e===37490||e===36285}function xf(e,t,n,r,i,a){let o=new bo,s=new vf,c=new Set,l=[],u=new Map,d=r.logarithmicDepthBuffer,f={MeshDepthMaterial:`depth`,MeshDistanceMaterial:`distance`,MeshNormalMaterial:`normal`,MeshBasicMaterial:`basic`,MeshLambertMaterial:`lambert`,MeshPhongMaterial:`phong`,MeshToonMaterial:`toon`,MeshStandardMaterial:`physical`,MeshPhysicalMaterial:`physical`,MeshMatcapMaterial:`matcap`,LineBasicMaterial:`basic`,LineDashedMaterial:`dashed`,PointsMaterial:`points`,ShadowMaterial:`shadow`,SpriteMaterial:`sprite`};function p(e){return c.add(e),e===0?`uv`:`uv${e}`}function m(i,o,l,u,m,h){let g=u.fog,_=m.geometry,v=i.isMeshStandardMaterial||i.isMeshLambertMaterial||i.isMeshPhongMaterial?u.environment:null,y=i.isMeshStandardMaterial||i.isMeshLambertMaterial&&!i.envMap||i.isMeshPhongMaterial&&!i.envMap,b=t.get(i.envMap||v,y),x=f[i.type],S=r.precision;i.precision!==null&&(S=r.getMaxPrecision(i.precision),S!==i.precision&&H(`WebGLProgram.getParameters:`,i.precision,`not supported, using`,S,`instead.`));let C=_.morphAttributes.position||_.morphAttributes.normal||_.morphAttributes.color,w=C===void 0?0:C.length,T=0;_.morphAttributes.position!==void 0&&(T=1),_.morphAttributes.normal!==void 0&&(T=2),_.morphAttributes.color!==void 0&&(T=3);let E,D,O,k;if(x){let e=Jl[x];E=e.vertexShader,D=e.fragmentShader}else{E=i.vertexShader,D=i.fragmentShader;let e=s.getVertexShaderStage(i),t=s.getFragmentShaderStage(i);s.update(i,e,t),O=e.id,k=t.id}let A=e.getRenderTarget(),j=e.state.buffers.depth.getReversed(),ee=m.isInstancedMesh===!0,M=m.isBatchedMesh===!0,te=!!i.map,ne=!!i.matcap,re=!!b,ie=re&&b.isPMREMTexture===!0,ae=!!i.aoMap,oe=!!i.lightMap,se=!!i.bumpMap&&i.wireframe===!1,ce=!!i.normalMap,le=!!i.displacementMap,N=!!i.emissiveMap,ue=!!i.metalnessMap,P=!!i.roughnessMap,F=i.anisotropy>0,de=i.clearcoat>0,fe=i.diffuseRoughness>0,pe=i.dispersion>0,me=i.retroreflectivity>0,he=i.iridescence>0,ge=i.sheen>0,_e=i.transmission>0,ve=F&&!!i.anisotropyMap,ye=de&&!!i.clearcoatMap,I=de&&!!i.clearcoatNormalMap,be=de&&!!i.clearcoatRoughnessMap,xe=fe&&!!i.diffuseRoughnessMap,L=he&&!!i.iridescenceMap,Se=he&&!!i.iridescenceThicknessMap,Ce=ge&&!!i.sheenColorMap,we=ge&&!!i.sheenRoughnessMap,R=!!i.specularMap,Te=!!i.specularColorMap,z=!!i.specularIntensityMap,B=_e&&!!i.transmissionMap,Ee=_e&&!!i.thicknessMap,De=!!i.gradientMap,Oe=!!i.alphaMap,ke=i.alphaTest>0,Ae=!!i.alphaHash,je=!!i.extensions,Me=0;i.toneMapped&&(A===null||A.isXRRenderTarget===!0)&&(Me=e.toneMapping);let Ne=ie?b.isCompressedCubeTexture?b.image[0].mipmaps:b.mipmaps:null,Pe={shaderID:x,shaderType:i.type,shaderName:i.name,vertexShader:E,fragmentShader:D,defines:i.defines,customVertexShaderID:O,customFragmentShaderID:k,isRawShaderMaterial:i.isRawShaderMaterial===!0,glslVersion:i.glslVersion,precision:S,batching:M,batchingColor:M&&m._colorsTexture!==null,instancing:ee,instancingColor:ee&&m.instanceColor!==null,instancingMorph:ee&&m.morphTexture!==null,outputColorSpace:A===null?e.outputColorSpace:A.isXRRenderTarget===!0?A.texture.colorSpace:q.workingColorSpace,alphaToCoverage:!!i.alphaToCoverage,map:te,matcap:ne,envMap:re,envMapMode:re&&b.mapping,envMapPMREM:ie,envMapMaxLod:ie?Ne.length-1:null,envMapSize:ie?Ne[0].width:null,aoMap:ae,lightMap:oe,bumpMap:se,normalMap:ce,displacementMap:le,emissiveMap:N,normalMapObjectSpace:ce&&i.normalMapType===1,normalMapTangentSpace:ce&&i.normalMapType===0,packedNormalMap:ce&&i.normalMapType===0&&bf(i.normalMap.format),metalnessMap:ue,roughnessMap:P,anisotropy:F,anisotropyMap:ve,clearcoat:de,clearcoatMap:ye,clearcoatNormalMap:I,clearcoatRoughnessMap:be,diffuseRoughness:fe,diffuseRoughnessMap:xe,dispersion:pe,retroreflection:me,iridescence:he,iridescenceMap:L,iridescenceThicknessMap:Se,sheen:ge,sheenColorMap:Ce,sheenRoughnessMap:we,specularMap:R,specularColorMap:Te,specularIntensityMap:z,transmission:_e,transmissionMap:B,thicknessMap:Ee,gradientMap:De,opaque:i.transparent===!1&&i.blending===1&&i.alphaToCoverage===!1,alphaMap:Oe,alphaTest:ke,alphaHash:Ae,combine:i.combine,mapUv:te&&p(i.map.channel),aoMapUv:ae&&p(i.aoMap.channel),lightMapUv:oe&&p(i.lightMap.channel),bumpMapUv:se&&p(i.bumpMap.channel),normalMapUv:ce&&p(i.normalMap.channel),displacementMapUv:le&&p(i.displacementMap.channel),emissiveMapUv:N&&p(i.emissiveMap.channel),metalnessMapUv:ue&&p(i.metalnessMap.channel),roughnessMapUv:P&&p(i.roughnessMap.channel),anisotropyMapUv:ve&&p(i.anisotropyMap.channel),clearcoatMapUv:ye&&p(i.clearcoatMap.channel),clearcoatNormalMapUv:I&&p(i.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:be&&p(i.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:xe&&p(i.diffuseRoughnessMap.channel),iridescenceMapUv:L&&p(i.iridescenceMap.channel),iridescenceThicknessMapUv:Se&&p(i.iridescenceThicknessMap.channel),sheenColorMapUv:Ce&&p(i.sheenColorMap.channel),sheenRoughnessMapUv:we&&p(i.sheenRoughnessMap.channel),specularMapUv:R&&p(i.specularMap.channel),specularColorMapUv:Te&&p(i.specularColorMap.channel),specularIntensityMapUv:z&&p(i.specularIntensityMap.channel),transmissionMapUv:B&&p(i.transmissionMap.channel),thicknessMapUv:Ee&&p(i.thicknessMap.channel),alphaMapUv:Oe&&p(i.alphaMap.channel),vertexTangents:!!_.attributes.tangent&&(ce||F),vertexNormals:!!_.attributes.normal,vertexColors:i.vertexColors,vertexAlphas:i.vertexColors===!0&&!!_.attributes.color&&_.attributes.color.itemSize===4,pointsUvs:m.isPoints===!0&&!!_.attributes.uv&&(te||Oe),fog:!!g,useFog:i.fog===!0,fogExp2:!!g&&g.isFogExp2,flatShading:i.wireframe===!1&&(i.flatShading===!0||_.attributes.normal===void 0&&ce===!1&&(i.isMeshLambertMaterial||i.isMeshPhongMaterial||i.isMeshStandardMaterial||i.isMeshPhysicalMaterial)),sizeAttenuation:i.sizeAttenuation===!0,logarithmicDepthBuffer:d,reversedDepthBuffer:j,skinning:m.isSkinnedMesh===!0,hasPositionAttribute:_.attributes.position!==void 0,morphTargets:_.morphAttributes.position!==void 0,morphNormals:_.morphAttributes.normal!==void 0,morphColors:_.morphAttributes.color!==void 0,morphTargetsCount:w,morphTextureStride:T,numSunLights:o.sun.length,numDirLights:o.directional.length,numPointLights:o.point.length,numSpotLights:o.spot.length,numSpotLightMaps:o.spotLightMap.length,numRectAreaLights:o.rectArea.length,numHemiLights:o.hemi.length,numSunLightShadows:o.sunShadowMap.length,numDirLightShadows:o.directionalShadowMap.length,numPointLightShadows:o.pointShadowMap.length,numSpotLightShadows:o.spotShadowMap.length,numSpotLightShadowsWithMaps:o.numSpotLightShadowsWithMaps,numLightProbes:o.numLightProbes,numLightProbeGrids:h.filter(e=>e.texture!==null).length,numClippingPlanes:a.numPlanes,numClipIntersection:a.numIntersection,dithering:i.dithering,shadowMapEnabled:e.shadowMap.enabled&&l.length>0,shadowMapType:e.shadowMap.type,toneMapping:Me,decodeVideoTexture:te&&i.map.isVideoTexture===!0&&q.getTransfer(i.map.colorSpace)===`srgb`,decodeVideoTextureEmissive:N&&i.emissiveMap.isVideoTexture===!0&&q.getTransfer(i.emissiveMap.colorSpace)===`srgb`,premultipliedAlpha:i.premultipliedAlpha,doubleSided:i.side===2,flipSided:i.side===1,useDepthPacking:i.depthPacking>=0,depthPacking:i.depthPacking||0,index0AttributeName:i.index0AttributeName,extensionClipCullDistance:je&&i.extensions.clipCullDistance===!0&&n.has(`WEBGL_clip_cull_distance`),extensionMultiDraw:(je&&i.extensions.multiDraw===!0||M)&&n.has(`WEBGL_multi_draw`),rendererExtensionParallelShaderCompile:n.has(`KHR_parallel_shader_compile`),customProgramCacheKey:i.customProgramCacheKey()};return Pe.vertexUv1s=c.has(1),Pe.vertexUv2s=c.has(2),Pe.vertexUv3s=c.has(3),c.clear(),Pe}function h(t){let n=[];if(t.shaderID?n.push(t.shaderID):(n.push(t.customVertexShaderID),n.push(t.customFragmentShaderID)),t.defines!==void 0)for(let e in t.defines)n.push(e),n.push(t.defines[e]);return t.isRawShaderMaterial===!1&&(g(n,t),_(n,t),n.push(e.outputColorSpace)),n.push(t.customProgramCacheKey),n.join()}function g(e,t){e.push(t.precision),e.push(t.outputColorSpace),e.push(t.envMapMode),e.push(t.envMapPMREM),e.push(t.envMapMaxLod),e.push(t.envMapSize),e.push(t.mapUv),e.push(t.alphaMapUv),e.push(t.lightMapUv),e.push(t.aoMapUv),e.push(t.bumpMapUv),e.push(t.normalMapUv),e.push(t.displacementMapUv),e.push(t.emissiveMapUv),e.push(t.metalnessMapUv),e.push(t.roughnessMapUv),e.push(t.anisotropyMapUv),e.push(t.clearcoatMapUv),e.push(t.clearcoatNormalMapUv),e.push(t.clearcoatRoughnessMapUv),e.push(t.diffuseRoughnessMapUv),e.push(t.iridescenceMapUv),e.push(t.iridescenceThicknessMapUv),e.push(t.sheenColorMapUv),e.push(t.sheenRoughnessMapUv),e.push(t.specularMapUv),e.push(t.specularColorMapUv),e.push(t.specularIntensityMapUv),e.push(t.transmissionMapUv),e.push(t.thicknessMapUv),e.push(t.combine),e.push(t.fogExp2),e.push(t.sizeAttenuation),e.push(t.morphTargetsCount),e.push(t.numSunLights),e.push(t.numDirLights),e.push(t.numPointLights),e.push(t.numSpotLights),e.push(t.numSpotLightMaps),e.push(t.numHemiLights),e.push(t.numRectAreaLights),e.push(t.numSunLightShadows),e.push(t.numDirLightShadows),e.push(t.numPointLightShadows),e.push(t.numSpotLightShadows),e.push(t.numSpotLightShadowsWithMaps),e.push(t.numLightProbes),e.push(t.numLightProbeGrids),e.push(t.shadowMapType),e.push(t.toneMapping),e.push(t.numClippingPlanes),e.push(t.numClipIntersection),e.push(t.depthPacking)}function _(e,t){o.disableAll(),t.instancing&&o.enable(0),t.instancingColor&&o.enable(1),t.instancingMorph&&o.enable(2),t.matcap&&o.enable(3),t.envMap&&o.enable(4),t.normalMapObjectSpace&&o.enable(5),t.normalMapTangentSpace&&o.enable(6),t.clearcoat&&o.enable(7),t.iridescence&&o.enable(8),t.alphaTest&&o.enable(9),t.vertexColors&&o.enable(10),t.vertexAlphas&&o.enable(11),t.vertexUv1s&&o.enable(12),t.vertexUv2s&&o.enable(13),t.vertexUv3s&&o.enable(14),t.vertexTangents&&o.enable(15),t.anisotropy&&o.enable(16),t.alphaHash&&o.enable(17),t.batching&&o.enable(18),t.dispersion&&o.enable(19),t.retroreflection&&o.enable(24),t.diffuseRoughness&&o.enable(25),t.batchingColor&&o.enable(20),t.gradientMap&&o.enable(21),t.packedNormalMap&&o.enable(22),t.vertexNormals&&o.enable(23),e.push(o.mask),o.disableAll(),t.fog&&o.enable(0),t.useFog&&o.enable(1),t.flatShading&&o.enable(2),t.logarithmicDepthBuffer&&o.enable(3),t.reversedDepthBuffer&&o.enable(4),t.skinning&&o.enable(5),t.morphTargets&&o.enable(6),t.morphNormals&&o.enable(7),t.morphColors&&o.enable(8),t.premultipliedAlpha&&o.enable(9),t.shadowMapEnabled&&o.enable(10),t.doubleSided&&o.enable(11),t.flipSided&&o.enable(12),t.useDepthPacking&&o.enable(13),t.dithering&&o.enable(14),t.transmission&&o.enable(15),t.sheen&&o.enable(16),t.opaque&&o.enable(17),t.pointsUvs&&o.enable(18),t.decodeVideoTexture&&o.enable(19),t.decodeVideoTextureEmissive&&o.enable(20),t.alphaToCoverage&&o.enable(21),t.numLightProbeGrids>0&&o.enable(22),t.hasPositionAttribute&&o.enable(23),e.push(o.mask)}function v(e){let t=f[e.type],n;if(t){let e=Jl[t];n=Kc.clone(e.uniforms)}else n=e.uniforms;return n}function y(t,n){let r=u.get(n);return r===void 0?(r=new gf(e,n,t,i),l.push(r),u.set(n,r)):++r.usedTimes,r}function b(e){if(--e.usedTimes===0){let t=l.indexOf(e);l[t]=l[l.length-1],l.pop(),u.delete(e.cacheKey),e.destroy()}}function x(e){s.remove(e)}function S(){s.dispose()}return{getParameters:m,getProgramCacheKey:h,getUniforms:v,acquireProgram:y,releaseProgram:b,releaseShaderCache:x,programs:l,dispose:S}}function Sf(){let e=new WeakMap;function t(t){return e.has(t)}function n(t){let n=e.get(t);return n===void 0&&(n={},e.set(t,n)),n}function r(t){e.delete(t)}function i(t,n,r){e.get(t)[n]=r}function a(){e=new WeakMap}return{has:t,get:n,remove:r,update:i,dispose:a}}function Cf(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.material.id===t.material.id?e.materialVariant===t.materialVariant?e.z===t.z?e.id-t.id:e.z-t.z:e.materialVariant-t.materialVariant:e.material.id-t.material.id:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function wf(e,t){return e.groupOrder===t.groupOrder?e.renderOrder===t.renderOrder?e.z===t.z?e.id-t.id:t.z-e.z:e.renderOrder-t.renderOrder:e.groupOrder-t.groupOrder}function Tf(){let e=[],t=0,n=[],r=[],i=[];function a(){t=0,n.length=0,r.length=0,i.length=0}function o(e){let t=0;return e.isInstancedMesh&&(t+=2),e.isSkinnedMesh&&(t+=1),t}function s(n,r,i,a,s,c){let l=e[t];return l===void 0?(l={id:n.id,object:n,geometry:r,material:i,materialVariant:o(n),groupOrder:a,renderOrder:n.renderOrder,z:s,group:c},e[t]=l):(l.id=n.id,l.object=n,l.geometry=r,l.material=i,l.materialVariant=o(n),l.groupOrder=a,l.renderOrder=n.renderOrder,l.z=s,l.group=c),t++,l}function c(e,t,a,o,c,l,u){u.reversedDepth===!0&&(c=-c);let d=s(e,t,a,o,c,l);a.transmission>0?r.push(d):a.transparent===!0?i.push(d):n.push(d)}function l(e,t,a,o,c,l){let u=s(e,t,a,o,c,l);a.transmission>0?r.unshift(u):a.transparent===!0?i.unshift(u):n.unshift(u)}function u(e,t){n.length>1&&n.sort(e||Cf),r.length>1&&r.sort(t||wf),i.length>1&&i.sort(t||wf)}function d(){for(let n=t,r=e.length;n<r;n++){let t=e[n];if(t.id===null)break;t.id=null,t.object=null,t.geometry=null,t.material=null,t.group=null}}return{opaque:n,transmissive:r,transparent:i,init:a,push:c,unshift:l,finish:d,sort:u}}function Ef(){let e=new WeakMap;function t(t,n){let r=e.get(t),i;return r===void 0?(i=new Tf,e.set(t,[i])):n>=r.length?(i=new Tf,r.push(i)):i=r[n],i}function n(){e=new WeakMap}return{get:t,dispose:n}}function Df(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={direction:new G,color:new J};break;case`SpotLight`:n={position:new G,direction:new G,color:new J,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case`PointLight`:n={position:new G,color:new J,distance:0,decay:0};break;case`HemisphereLight`:n={direction:new G,skyColor:new J,groundColor:new J};break;case`RectAreaLight`:n={color:new J,position:new G,halfWidth:new G,halfHeight:new G}}return e[t.id]=n,n}}}function Of(){let e={};return{get:function(t){if(e[t.id]!==void 0)return e[t.id];let n;switch(t.type){case`SunLight`:case`DirectionalLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new za};break;case`SpotLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new za};break;case`PointLight`:n={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new za,shadowCameraNear:1,shadowCameraFar:1e3}}return e[t.id]=n,n}}}var kf=0;function Af(e,t){return(t.castShadow?2:0)-(e.castShadow?2:0)+ +!!t.map-!!e.map}function jf(e){let t=new Df,n=Of(),r={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let e=0;e<9;e++)r.probe.push(new G);let i=new G,a=new co,o=new co;function s(i){let a=0,o=0,s=0;for(let e=0;e<9;e++)r.probe[e].set(0,0,0);let c=0,l=0,u=0,d=0,f=0,p=0,m=0,h=0,g=0,_=0,v=0,y=0,b=0,x=0;i.sort(Af);for(let e=0,S=i.length;e<S;e++){let S=i[e],C=S.color,w=S.intensity,T=S.distance,E=null;if(S.shadow&&S.shadow.map&&(E=S.shadow.map.texture.format===1030?S.shadow.map.texture:S.shadow.map.depthTexture||S.shadow.map.texture),S.isAmbientLight)a+=C.r*w,o+=C.g*w,s+=C.b*w;else if(S.isLightProbe){for(let e=0;e<9;e++)r.probe[e].addScaledVector(S.sh.coefficients[e],w);x++}else if(S.isSunLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize.copy(e.mapSize).multiply(e.getFrameExtents()),r.sunShadow[l]=t,r.sunShadowMap[l]=E;let i=e.getViewportCount();for(let t=0;t<i;t++)r.sunShadowMatrix[u+t]=e.getMatrix(t),r.sunShadowCascade[u+t]=e._cascadeData[t];u+=i,l++}r.sun[c]=e,c++}else if(S.isDirectionalLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,r.directionalShadow[d]=t,r.directionalShadowMap[d]=E,r.directionalShadowMatrix[d]=S.shadow.matrix,g++}r.directional[d]=e,d++}else if(S.isSpotLight){let e=t.get(S);e.position.setFromMatrixPosition(S.matrixWorld),e.color.copy(C).multiplyScalar(w),e.distance=T,e.coneCos=Math.cos(S.angle),e.penumbraCos=Math.cos(S.angle*(1-S.penumbra)),e.decay=S.decay,r.spot[p]=e;let i=S.shadow;if(S.map&&(r.spotLightMap[y]=S.map,y++,i.updateMatrices(S),S.castShadow&&b++),r.spotLightMatrix[p]=i.matrix,S.castShadow){let e=n.get(S);e.shadowIntensity=i.intensity,e.shadowBias=i.bias,e.shadowNormalBias=i.normalBias,e.shadowRadius=i.radius,e.shadowMapSize=i.mapSize,r.spotShadow[p]=e,r.spotShadowMap[p]=E,v++}p++}else if(S.isRectAreaLight){let e=t.get(S);e.color.copy(C).multiplyScalar(w),e.halfWidth.set(S.width*.5,0,0),e.halfHeight.set(0,S.height*.5,0),r.rectArea[m]=e,m++}else if(S.isPointLight){let e=t.get(S);if(e.color.copy(S.color).multiplyScalar(S.intensity),e.distance=S.distance,e.decay=S.decay,S.castShadow){let e=S.shadow,t=n.get(S);t.shadowIntensity=e.intensity,t.shadowBias=e.bias,t.shadowNormalBias=e.normalBias,t.shadowRadius=e.radius,t.shadowMapSize=e.mapSize,t.shadowCameraNear=e.camera.near,t.shadowCameraFar=e.camera.far,r.pointShadow[f]=t,r.pointShadowMap[f]=E,r.pointShadowMatrix[f]=S.shadow.matrix,_++}r.point[f]=e,f++}else if(S.isHemisphereLight){let e=t.get(S);e.skyColor.copy(S.color).multiplyScalar(w),e.groundColor.copy(S.groundColor).multiplyScalar(w),r.hemi[h]=e,h++}}m>0&&(e.has(`OES_texture_float_linear`)===!0?(r.rectAreaLTC1=X.LTC_FLOAT_1,r.rectAreaLTC2=X.LTC_FLOAT_2):(r.rectAreaLTC1=X.LTC_HALF_1,r.rectAreaLTC2=X.LTC_HALF_2)),r.ambient[0]=a,r.ambient[1]=o,r.ambient[2]=s;let S=r.hash;(S.sunLength!==c||S.directionalLength!==d||S.pointLength!==f||S.spotLength!==p||S.rectAreaLength!==m||S.hemiLength!==h||S.numSunShadows!==l||S.numDirectionalShadows!==g||S.numPointShadows!==_||S.numSpotShadows!==v||S.numSpotMaps!==y||S.numLightProbes!==x)&&(r.sun.length=c,r.directional.length=d,r.spot.length=p,r.rectArea.length=m,r.point.length=f,r.hemi.length=h,r.sunShadow.length=l,r.sunShadowMap.length=l,r.sunShadowMatrix.length=u,r.sunShadowCascade.length=u,r.directionalShadow.length=g,r.directionalShadowMap.length=g,r.directionalShadowMatrix.length=g,r.pointShadow.length=_,r.pointShadowMap.length=_,r.pointShadowMatrix.length=_,r.spotShadow.length=v,r.spotShadowMap.length=v,r.spotLightMatrix.length=v+y-b,r.spotLightMap.length=y,r.numSpotLightShadowsWithMaps=b,r.numLightProbes=x,S.sunLength=c,S.directionalLength=d,S.pointLength=f,S.spotLength=p,S.rectAreaLength=m,S.hemiLength=h,S.numSunShadows=l,S.numDirectionalShadows=g,S.numPointShadows=_,S.numSpotShadows=v,S.numSpotMaps=y,S.numLightProbes=x,r.version=kf++)}function c(e,t){let n=0,s=0,c=0,l=0,u=0,d=0,f=t.matrixWorldInverse;for(let t=0,p=e.length;t<p;t++){let p=e[t];if(p.isSunLight){let e=r.sun[n];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),n++}else if(p.isDirectionalLight){let e=r.directional[s];e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),s++}else if(p.isSpotLight){let e=r.spot[l];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),e.direction.setFromMatrixPosition(p.matrixWorld),i.setFromMatrixPosition(p.target.matrixWorld),e.direction.sub(i),e.direction.transformDirection(f),l++}else if(p.isRectAreaLight){let e=r.rectArea[u];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),o.identity(),a.copy(p.matrixWorld),a.premultiply(f),o.extractRotation(a),e.halfWidth.set(p.width*.5,0,0),e.halfHeight.set(0,p.height*.5,0),e.halfWidth.applyMatrix4(o),e.halfHeight.applyMatrix4(o),u++}else if(p.isPointLight){let e=r.point[c];e.position.setFromMatrixPosition(p.matrixWorld),e.position.applyMatrix4(f),c++}else if(p.isHemisphereLight){let e=r.hemi[d];e.direction.setFromMatrixPosition(p.matrixWorld),e.direction.transformDirection(f),d++}}}return{setup:s,setupView:c,state:r}}function Mf(e){let t=new jf(e),n=[],r=[],i=[];function a(e){u.camera=e,n.length=0,r.length=0,i.length=0}function o(e){e.isLightProbeGrid?i.push(e):n.push(e)}function s(e){r.push(e)}function c(){t.setup(n),i.sort((e,t)=>e.priority-t.priority||e.id-t.id)}function l(e){t.setupView(n,e)}let u={lightsArray:n,shadowsArray:r,lightProbeGridArray:i,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:a,state:u,setupLights:c,setupLightsView:l,pushLight:o,pushShadow:s}}function Nf(e){let t=new WeakMap;function n(n,r=0){let i=t.get(n),a;return i===void 0?(a=new Mf(e),t.set(n,[a])):r>=i.length?(a=new Mf(e),i.push(a)):a=i[r],a}function r(){t=new WeakMap}return{get:n,dispose:r}}var Pf=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,Ff=`uniform sampler2D shadow_pass;
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
}`,If=[new G(1,0,0),new G(-1,0,0),new G(0,1,0),new G(0,-1,0),new G(0,0,1),new G(0,0,-1)],Lf=[new G(0,-1,0),new G(0,-1,0),new G(0,0,1),new G(0,0,-1),new G(0,-1,0),new G(0,-1,0)],Rf=new co,zf=new G,Bf=new G;function Vf(e,t,n){let r=new Tc,i=new za,a=new za,o=new ro,s=new Zc,c=new Qc,l={},u=n.maxTextureSize,d={0:1,1:0,2:2},f=new Yc({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new za},radius:{value:4}},vertexShader:Pf,fragmentShader:Ff}),p=f.clone();p.defines.HORIZONTAL_PASS=1;let m=new zs;m.setAttribute(`position`,new ws(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let h=new lc(m,f),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=1;let _=this.type;this.render=function(t,n,s){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||t.length===0)return;this.type===2&&(H(`WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead.`),this.type=1);let c=e.getRenderTarget(),l=e.getActiveCubeFace(),d=e.getActiveMipmapLevel(),f=e.state;f.setBlending(0),f.buffers.depth.getReversed()===!0?f.buffers.color.setClear(0,0,0,0):f.buffers.color.setClear(1,1,1,1),f.buffers.depth.setTest(!0),f.setScissorTest(!1);let p=_!==this.type;p&&n.traverse(function(e){e.material&&(Array.isArray(e.material)?e.material.forEach(e=>e.needsUpdate=!0):e.material.needsUpdate=!0)});for(let c=0,l=t.length;c<l;c++){let l=t[c],d=l.shadow;if(d===void 0){H(`WebGLShadowMap:`,l,`has no shadow.`);continue}if(d.autoUpdate===!1&&d.needsUpdate===!1)continue;i.copy(d.mapSize);let m=d.getFrameExtents();i.multiply(m),a.copy(d.mapSize),(i.x>u||i.y>u)&&(i.x>u&&(a.x=Math.floor(u/m.x),i.x=a.x*m.x,d.mapSize.x=a.x),i.y>u&&(a.y=Math.floor(u/m.y),i.y=a.y*m.y,d.mapSize.y=a.y));let h=e.state.buffers.depth.getReversed();if(d.camera._reversedDepth=h,d.map===null||p===!0){if(d.map!==null&&(d.map.depthTexture!==null&&(d.map.depthTexture.dispose(),d.map.depthTexture=null),d.map.dispose()),this.type===3){if(l.isPointLight){H(`WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.`);continue}d.map=new ao(i.x,i.y,{format:_i,type:ii,minFilter:Jr,magFilter:Jr,generateMipmaps:!1}),d.map.texture.name=l.name+`.shadowMap`,d.map.depthTexture=new Ic(i.x,i.y,ri),d.map.depthTexture.name=l.name+`.shadowMapDepth`,d.map.depthTexture.format=pi,d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Gr,d.map.depthTexture.magFilter=Gr}else l.isPointLight?(d.map=new ru(i.x),d.map.depthTexture=new Lc(i.x,ni)):(d.map=new ao(i.x,i.y),d.map.depthTexture=new Ic(i.x,i.y,ni)),d.map.depthTexture.name=l.name+`.shadowMap`,d.map.depthTexture.format=pi,this.type===1?(d.map.depthTexture.compareFunction=h?518:515,d.map.depthTexture.minFilter=Jr,d.map.depthTexture.magFilter=Jr):(d.map.depthTexture.compareFunction=null,d.map.depthTexture.minFilter=Gr,d.map.depthTexture.magFilter=Gr);d.camera.updateProjectionMatrix()}d.map.isWebGLCubeRenderTarget!==!0&&(d.map.width!==i.x||d.map.height!==i.y)&&d.map.setSize(i.x,i.y);let g=d.map.isWebGLCubeRenderTarget?6:d.getViewportCount();l.isPointLight!==!0&&d.updateMatrices(l,s);let _=d.camera.layers.mask&4294967294?d.camera.layers:s.layers;for(let t=0;t<g;t++){let i=d.getCamera(t);if(l.isPointLight){let e=d.camera,n=d.matrix,r=l.distance||e.far;r!==e.far&&(e.far=r,e.updateProjectionMatrix()),zf.setFromMatrixPosition(l.matrixWorld),e.position.copy(zf),Bf.copy(e.position),Bf.add(If[t]),e.up.copy(Lf[t]),e.lookAt(Bf),e.updateMatrixWorld(),n.makeTranslation(-zf.x,-zf.y,-zf.z),Rf.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),d._frustum.setFromProjectionMatrix(Rf,e.coordinateSystem,e.reversedDepth)}if(d.map.isWebGLCubeRenderTarget)e.setRenderTarget(d.map,t),e.clear();else{t===0&&(e.setRenderTarget(d.map),e.clear());let n=d.getViewport(t);o.set(a.x*n.x,a.y*n.y,a.x*n.z,a.y*n.w),f.viewport(o)}r=d.getFrustum(t),b(n,s,i,l,_,this.type)}d.isPointLightShadow!==!0&&this.type===3&&v(d,s),d.needsUpdate=!1}_=this.type,g.needsUpdate=!1,e.setRenderTarget(c,l,d)};function v(n,r){let a=t.update(h);f.defines.VSM_SAMPLES!==n.blurSamples&&(f.defines.VSM_SAMPLES=n.blurSamples,p.defines.VSM_SAMPLES=n.blurSamples,f.needsUpdate=!0,p.needsUpdate=!0),n.mapPass===null?n.mapPass=new ao(i.x,i.y,{format:_i,type:ii}):(n.mapPass.width!==n.map.width||n.mapPass.height!==n.map.height)&&n.mapPass.setSize(n.map.width,n.map.height),f.uniforms.shadow_pass.value=n.map.depthTexture,f.uniforms.resolution.value.set(n.map.width,n.map.height),f.uniforms.radius.value=n.radius,e.setRenderTarget(n.mapPass),e.clear(),e.renderBufferDirect(r,null,a,f,h,null),p.uniforms.shadow_pass.value=n.mapPass.texture,p.uniforms.resolution.value.set(n.map.width,n.map.height),p.uniforms.radius.value=n.radius,e.setRenderTarget(n.map),e.clear(),e.renderBufferDirect(r,null,a,p,h,null)}function y(t,n,r,i){let a=null,o=r.isPointLight===!0?t.customDistanceMaterial:t.customDepthMaterial;if(o!==void 0)a=o;else if(a=r.isPointLight===!0?c:s,e.localClippingEnabled&&n.clipShadows===!0&&Array.isArray(n.clippingPlanes)&&n.clippingPlanes.length!==0||n.displacementMap&&n.displacementScale!==0||n.alphaMap&&n.alphaTest>0||n.map&&n.alphaTest>0||n.alphaToCoverage===!0){let e=a.uuid,t=n.uuid,r=l[e];r===void 0&&(r={},l[e]=r);let i=r[t];i===void 0&&(i=a.clone(),r[t]=i,n.addEventListener(`dispose`,x)),a=i}if(a.visible=n.visible,a.wireframe=n.wireframe,i===3?a.side=n.shadowSide===null?n.side:n.shadowSide:a.side=n.shadowSide===null?d[n.side]:n.shadowSide,a.alphaMap=n.alphaMap,a.alphaTest=n.alphaToCoverage===!0?.5:n.alphaTest,a.map=n.map,a.clipShadows=n.clipShadows,a.clippingPlanes=n.clippingPlanes,a.clipIntersection=n.clipIntersection,a.displacementMap=n.displacementMap,a.displacementScale=n.displacementScale,a.displacementBias=n.displacementBias,a.wireframeLinewidth=n.wireframeLinewidth,a.linewidth=n.linewidth,r.isPointLight===!0&&a.isMeshDistanceMaterial===!0){let t=e.properties.get(a);t.light=r}return a}function b(n,i,a,o,s,c){if(n.visible===!1)return;if(n.layers.test(s)&&(n.isMesh||n.isLine||n.isPoints)&&(n.castShadow||n.receiveShadow&&c===3)&&(!n.frustumCulled||n.intersectsFrustum(r))){n.modelViewMatrix.multiplyMatrices(a.matrixWorldInverse,n.matrixWorld);let r=t.update(n),s=n.material;if(Array.isArray(s)){let t=r.groups;for(let l=0,u=t.length;l<u;l++){let u=t[l],d=s[u.materialIndex];if(d&&d.visible){let t=y(n,d,o,c);n.onBeforeShadow(e,n,i,a,r,t,u),e.renderBufferDirect(a,null,r,t,n,u),n.onAfterShadow(e,n,i,a,r,t,u)}}}else if(s.visible){let t=y(n,s,o,c);n.onBeforeShadow(e,n,i,a,r,t,null),e.renderBufferDirect(a,null,r,t,n,null),n.onAfterShadow(e,n,i,a,r,t,null)}}let l=n.children;for(let e=0,t=l.length;e<t;e++)b(l[e],i,a,o,s,c)}function x(e){e.target.removeEventListener(`dispose`,x);for(let t in l){let n=l[t],r=e.target.uuid;r in n&&(n[r].dispose(),delete n[r])}}}function Hf(e,t){function n(){let t=!1,n=new ro,r=null,i=new ro(0,0,0,0);return{setMask:function(n){r!==n&&!t&&(e.colorMask(n,n,n,n),r=n)},setLocked:function(e){t=e},setClear:function(t,r,a,o,s){s===!0&&(t*=o,r*=o,a*=o),n.set(t,r,a,o),i.equals(n)===!1&&(e.clearColor(t,r,a,o),i.copy(n))},reset:function(){t=!1,r=null,i.set(-1,0,0,0)}}}function r(){let n=!1,r=!1,i=null,a=null,o=null;return{setReversed:function(e){if(r!==e){let n=t.get(`EXT_clip_control`);e?n.clipControlEXT(n.LOWER_LEFT_EXT,n.ZERO_TO_ONE_EXT):n.clipControlEXT(n.LOWER_LEFT_EXT,n.NEGATIVE_ONE_TO_ONE_EXT),r=e;let i=o;o=null,this.setClear(i)}},getReversed:function(){return r},setTest:function(t){t?ue(e.DEPTH_TEST):P(e.DEPTH_TEST)},setMask:function(t){i!==t&&!n&&(e.depthMask(t),i=t)},setFunc:function(t){if(r&&(t=Da[t]),a!==t){switch(t){case 0:e.depthFunc(e.NEVER);break;case 1:e.depthFunc(e.ALWAYS);break;case 2:e.depthFunc(e.LESS);break;case 3:e.depthFunc(e.LEQUAL);break;case 4:e.depthFunc(e.EQUAL);break;case 5:e.depthFunc(e.GEQUAL);break;case 6:e.depthFunc(e.GREATER);break;case 7:e.depthFunc(e.NOTEQUAL);break;default:e.depthFunc(e.LEQUAL)}a=t}},setLocked:function(e){n=e},setClear:function(t){o!==t&&(o=t,r&&(t=1-t),e.clearDepth(t))},reset:function(){n=!1,i=null,a=null,o=null,r=!1}}}function i(){let t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null;return{setTest:function(n){t||(n?ue(e.STENCIL_TEST):P(e.STENCIL_TEST))},setMask:function(r){n!==r&&!t&&(e.stencilMask(r),n=r)},setFunc:function(t,n,o){(r!==t||i!==n||a!==o)&&(e.stencilFunc(t,n,o),r=t,i=n,a=o)},setOp:function(t,n,r){(o!==t||s!==n||c!==r)&&(e.stencilOp(t,n,r),o=t,s=n,c=r)},setLocked:function(e){t=e},setClear:function(t){l!==t&&(e.clearStencil(t),l=t)},reset:function(){t=!1,n=null,r=null,i=null,a=null,o=null,s=null,c=null,l=null}}}let a=new n,o=new r,s=new i,c={},l=new WeakMap,u={},d={},f={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new J(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,ee=e.getParameter(e.MAX_COMBINED_TEXTURE_IMAGE_UNITS),M=!1,te=0,ne=e.getParameter(e.VERSION);ne.indexOf(`WebGL`)===-1?ne.indexOf(`OpenGL ES`)!==-1&&(te=parseFloat(/^OpenGL ES (\d)/.exec(ne)[1]),M=te>=2):(te=parseFloat(/^WebGL (\d)/.exec(ne)[1]),M=te>=1);let re=null,ie={},ae=e.getParameter(e.SCISSOR_BOX),oe=e.getParameter(e.VIEWPORT),se=new ro().fromArray(ae),ce=new ro().fromArray(oe);function le(t,n,r,i){let a=new Uint8Array(4),o=e.createTexture();e.bindTexture(t,o),e.texParameteri(t,e.TEXTURE_MIN_FILTER,e.NEAREST),e.texParameteri(t,e.TEXTURE_MAG_FILTER,e.NEAREST);for(let o=0;o<r;o++)t===e.TEXTURE_3D||t===e.TEXTURE_2D_ARRAY?e.texImage3D(n,0,e.RGBA,1,1,i,0,e.RGBA,e.UNSIGNED_BYTE,a):e.texImage2D(n+o,0,e.RGBA,1,1,0,e.RGBA,e.UNSIGNED_BYTE,a);return o}let N={};N[e.TEXTURE_2D]=le(e.TEXTURE_2D,e.TEXTURE_2D,1),N[e.TEXTURE_CUBE_MAP]=le(e.TEXTURE_CUBE_MAP,e.TEXTURE_CUBE_MAP_POSITIVE_X,6),N[e.TEXTURE_2D_ARRAY]=le(e.TEXTURE_2D_ARRAY,e.TEXTURE_2D_ARRAY,1,1),N[e.TEXTURE_3D]=le(e.TEXTURE_3D,e.TEXTURE_3D,1,1),a.setClear(0,0,0,1),o.setClear(1),s.setClear(0),ue(e.DEPTH_TEST),o.setFunc(3),_e(!1),ve(1),ue(e.CULL_FACE),he(0);function ue(t){u[t]!==!0&&(e.enable(t),u[t]=!0)}function P(t){u[t]!==!1&&(e.disable(t),u[t]=!1)}function F(t,n){return f[t]!==n&&(e.bindFramebuffer(t,n),f[t]=n,t===e.DRAW_FRAMEBUFFER&&(f[e.FRAMEBUFFER]=n),t===e.FRAMEBUFFER&&(f[e.DRAW_FRAMEBUFFER]=n),!0)}function de(t,n){let r=m,i=!1;if(t){r=p.get(n),r===void 0&&(r=[],p.set(n,r));let a=t.textures;if(r.length!==a.length||r[0]!==e.COLOR_ATTACHMENT0){for(let t=0,n=a.length;t<n;t++)r[t]=e.COLOR_ATTACHMENT0+t;r.length=a.length,i=!0}}else r[0]!==e.BACK&&(r[0]=e.BACK,i=!0);i&&e.drawBuffers(r)}function fe(t){return h!==t&&(e.useProgram(t),h=t,!0)}let pe={100:e.FUNC_ADD,101:e.FUNC_SUBTRACT,102:e.FUNC_REVERSE_SUBTRACT};pe[103]=e.MIN,pe[104]=e.MAX;let me={200:e.ZERO,201:e.ONE,202:e.SRC_COLOR,204:e.SRC_ALPHA,210:e.SRC_ALPHA_SATURATE,208:e.DST_COLOR,206:e.DST_ALPHA,203:e.ONE_MINUS_SRC_COLOR,205:e.ONE_MINUS_SRC_ALPHA,209:e.ONE_MINUS_DST_COLOR,207:e.ONE_MINUS_DST_ALPHA,211:e.CONSTANT_COLOR,212:e.ONE_MINUS_CONSTANT_COLOR,213:e.CONSTANT_ALPHA,214:e.ONE_MINUS_CONSTANT_ALPHA};function he(t,n,r,i,a,o,s,c,l,u){if(t===0)g===!0&&(P(e.BLEND),g=!1);else if(g===!1&&(ue(e.BLEND),g=!0),t!==5){if(t!==_||u!==E){if((v!==100||x!==100)&&(e.blendEquation(e.FUNC_ADD),v=100,x=100),u)switch(t){case 1:e.blendFuncSeparate(e.ONE,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFunc(e.ONE,e.ONE);break;case 3:e.blendFuncSeparate(e.ZERO,e.ONE_MINUS_SRC_COLOR,e.ZERO,e.ONE);break;case 4:e.blendFuncSeparate(e.DST_COLOR,e.ONE_MINUS_SRC_ALPHA,e.ZERO,e.ONE);break;default:U(`WebGLState: Invalid blending: `,t)}else switch(t){case 1:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE_MINUS_SRC_ALPHA,e.ONE,e.ONE_MINUS_SRC_ALPHA);break;case 2:e.blendFuncSeparate(e.SRC_ALPHA,e.ONE,e.ONE,e.ONE);break;case 3:U(`WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true`);break;case 4:U(`WebGLState: MultiplyBlending requires material.premultipliedAlpha = true`);break;default:U(`WebGLState: Invalid blending: `,t)}y=null,b=null,S=null,C=null,w.set(0,0,0),T=0,_=t,E=u}}else a||=n,o||=r,s||=i,(n!==v||a!==x)&&(e.blendEquationSeparate(pe[n],pe[a]),v=n,x=a),(r!==y||i!==b||o!==S||s!==C)&&(e.blendFuncSeparate(me[r],me[i],me[o],me[s]),y=r,b=i,S=o,C=s),(c.equals(w)===!1||l!==T)&&(e.blendColor(c.r,c.g,c.b,l),w.copy(c),T=l),_=t,E=!1}function ge(t,n){t.side===2?P(e.CULL_FACE):ue(e.CULL_FACE);let r=t.side===1;n&&(r=!r),_e(r),t.blending===1&&t.transparent===!1?he(0):he(t.blending,t.blendEquation,t.blendSrc,t.blendDst,t.blendEquationAlpha,t.blendSrcAlpha,t.blendDstAlpha,t.blendColor,t.blendAlpha,t.premultipliedAlpha),o.setFunc(t.depthFunc),o.setTest(t.depthTest),o.setMask(t.depthWrite),a.setMask(t.colorWrite);let i=t.stencilWrite;s.setTest(i),i&&(s.setMask(t.stencilWriteMask),s.setFunc(t.stencilFunc,t.stencilRef,t.stencilFuncMask),s.setOp(t.stencilFail,t.stencilZFail,t.stencilZPass)),I(t.polygonOffset,t.polygonOffsetFactor,t.polygonOffsetUnits),t.alphaToCoverage===!0?ue(e.SAMPLE_ALPHA_TO_COVERAGE):P(e.SAMPLE_ALPHA_TO_COVERAGE)}function _e(t){D!==t&&(t?e.frontFace(e.CW):e.frontFace(e.CCW),D=t)}function ve(t){t===0?P(e.CULL_FACE):(ue(e.CULL_FACE),t!==O&&(t===1?e.cullFace(e.BACK):t===2?e.cullFace(e.FRONT):e.cullFace(e.FRONT_AND_BACK))),O=t}function ye(t){t!==k&&(M&&e.lineWidth(t),k=t)}function I(t,n,r){t?(ue(e.POLYGON_OFFSET_FILL),(A!==n||j!==r)&&(A=n,j=r,o.getReversed()&&(n=-n,r=-r),e.polygonOffset(n,r))):P(e.POLYGON_OFFSET_FILL)}function be(t){t?ue(e.SCISSOR_TEST):P(e.SCISSOR_TEST)}function xe(t){t===void 0&&(t=e.TEXTURE0+ee-1),re!==t&&(e.activeTexture(t),re=t)}function L(t,n,r){r===void 0&&(r=re===null?e.TEXTURE0+ee-1:re);let i=ie[r];i===void 0&&(i={type:void 0,texture:void 0},ie[r]=i),(i.type!==t||i.texture!==n)&&(re!==r&&(e.activeTexture(r),re=r),e.bindTexture(t,n||N[t]),i.type=t,i.texture=n)}function Se(){let t=ie[re];t!==void 0&&t.type!==void 0&&(e.bindTexture(t.type,null),t.type=void 0,t.texture=void 0)}function Ce(){try{e.compressedTexImage2D(...arguments)}catch(e){U(`WebGLState:`,e)}}function we(){try{e.compressedTexImage3D(...arguments)}catch(e){U(`WebGLState:`,e)}}function R(){try{e.texSubImage2D(...arguments)}catch(e){U(`WebGLState:`,e)}}function Te(){try{e.texSubImage3D(...arguments)}catch(e){U(`WebGLState:`,e)}}function z(){try{e.compressedTexSubImage2D(...arguments)}catch(e){U(`WebGLState:`,e)}}function B(){try{e.compressedTexSubImage3D(...arguments)}catch(e){U(`WebGLState:`,e)}}function Ee(){try{e.texStorage2D(...arguments)}catch(e){U(`WebGLState:`,e)}}function De(){try{e.texStorage3D(...arguments)}catch(e){U(`WebGLState:`,e)}}function Oe(){try{e.texImage2D(...arguments)}catch(e){U(`WebGLState:`,e)}}function ke(){try{e.texImage3D(...arguments)}catch(e){U(`WebGLState:`,e)}}function Ae(t){return d[t]===void 0?e.getParameter(t):d[t]}function je(t,n){d[t]!==n&&(e.pixelStorei(t,n),d[t]=n)}function Me(t){se.equals(t)===!1&&(e.scissor(t.x,t.y,t.z,t.w),se.copy(t))}function Ne(t){ce.equals(t)===!1&&(e.viewport(t.x,t.y,t.z,t.w),ce.copy(t))}function Pe(t,n){let r=l.get(n);r===void 0&&(r=new WeakMap,l.set(n,r));let i=r.get(t);i===void 0&&(i=e.getUniformBlockIndex(n,t.name),e.uniformBlockBinding(n,i,i),r.set(t,i))}function Fe(t,n,r){let i=l.get(n).get(t);c[i]!==r&&(e.bindBufferBase(e.UNIFORM_BUFFER,i,r),c[i]=r)}function Ie(){e.disable(e.BLEND),e.disable(e.CULL_FACE),e.disable(e.DEPTH_TEST),e.disable(e.POLYGON_OFFSET_FILL),e.disable(e.SCISSOR_TEST),e.disable(e.STENCIL_TEST),e.disable(e.SAMPLE_ALPHA_TO_COVERAGE),e.blendEquation(e.FUNC_ADD),e.blendFunc(e.ONE,e.ZERO),e.blendFuncSeparate(e.ONE,e.ZERO,e.ONE,e.ZERO),e.blendColor(0,0,0,0),e.colorMask(!0,!0,!0,!0),e.clearColor(0,0,0,0),e.depthMask(!0),e.depthFunc(e.LESS),o.setReversed(!1),e.clearDepth(1),e.stencilMask(4294967295),e.stencilFunc(e.ALWAYS,0,4294967295),e.stencilOp(e.KEEP,e.KEEP,e.KEEP),e.clearStencil(0),e.cullFace(e.BACK),e.frontFace(e.CCW),e.polygonOffset(0,0),e.activeTexture(e.TEXTURE0),e.bindFramebuffer(e.FRAMEBUFFER,null),e.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),e.bindFramebuffer(e.READ_FRAMEBUFFER,null),e.useProgram(null),e.lineWidth(1),e.scissor(0,0,e.canvas.width,e.canvas.height),e.viewport(0,0,e.canvas.width,e.canvas.height),e.pixelStorei(e.PACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_ALIGNMENT,4),e.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,!1),e.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),e.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,e.BROWSER_DEFAULT_WEBGL),e.pixelStorei(e.PACK_ROW_LENGTH,0),e.pixelStorei(e.PACK_SKIP_PIXELS,0),e.pixelStorei(e.PACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_ROW_LENGTH,0),e.pixelStorei(e.UNPACK_IMAGE_HEIGHT,0),e.pixelStorei(e.UNPACK_SKIP_PIXELS,0),e.pixelStorei(e.UNPACK_SKIP_ROWS,0),e.pixelStorei(e.UNPACK_SKIP_IMAGES,0),u={},d={},re=null,ie={},f={},c={},p=new WeakMap,m=[],h=null,g=!1,_=null,v=null,y=null,b=null,x=null,S=null,C=null,w=new J(0,0,0),T=0,E=!1,D=null,O=null,k=null,A=null,j=null,se.set(0,0,e.canvas.width,e.canvas.height),ce.set(0,0,e.canvas.width,e.canvas.height),a.reset(),o.reset(),s.reset()}return{buffers:{color:a,depth:o,stencil:s},enable:ue,disable:P,bindFramebuffer:F,drawBuffers:de,useProgram:fe,setBlending:he,setMaterial:ge,setFlipSided:_e,setCullFace:ve,setLineWidth:ye,setPolygonOffset:I,setScissorTest:be,activeTexture:xe,bindTexture:L,unbindTexture:Se,compressedTexImage2D:Ce,compressedTexImage3D:we,texImage2D:Oe,texImage3D:ke,pixelStorei:je,getParameter:Ae,updateUBOMapping:Pe,uniformBlockBinding:Fe,texStorage2D:Ee,texStorage3D:De,texSubImage2D:R,texSubImage3D:Te,compressedTexSubImage2D:z,compressedTexSubImage3D:B,scissor:Me,viewport:Ne,reset:Ie}}function Uf(e,t,n,r,i,a,o){let s=t.has(`WEBGL_multisampled_render_to_texture`)?t.get(`WEBGL_multisampled_render_to_texture`):null,c=typeof navigator>`u`?!1:/OculusBrowser/g.test(navigator.userAgent),l=new za,u=new WeakMap,d=new Set,f,p=new WeakMap,m=new Set,h=new FinalizationRegistry(e=>m.delete(e)),g=!1;try{g=typeof OffscreenCanvas<`u`&&new OffscreenCanvas(1,1).getContext(`2d`)!==null}catch{}function _(e,t){return g?new OffscreenCanvas(e,t):ba(`canvas`)}function v(e,t,n){let r=1,i=Ee(e);if((i.width>n||i.height>n)&&(r=n/Math.max(i.width,i.height)),r<1){if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof VideoFrame<`u`&&e instanceof VideoFrame){let n=Math.floor(r*i.width),a=Math.floor(r*i.height);f===void 0&&(f=_(n,a));let o=t?_(n,a):f;return o.width=n,o.height=a,o.getContext(`2d`).drawImage(e,0,0,n,a),H(`WebGLRenderer: Texture has been resized from (`+i.width+`x`+i.height+`) to (`+n+`x`+a+`).`),o}return`data`in e&&H(`WebGLRenderer: Image in DataTexture is too big (`+i.width+`x`+i.height+`).`),e}return e}function y(e){return e.generateMipmaps}function b(t){e.generateMipmap(t)}function x(t){return t.isWebGLCubeRenderTarget?e.TEXTURE_CUBE_MAP:t.isWebGL3DRenderTarget?e.TEXTURE_3D:t.isWebGLArrayRenderTarget||t.isCompressedArrayTexture?e.TEXTURE_2D_ARRAY:e.TEXTURE_2D}function S(n,r,i,a,o,s=!1){if(n!==null){if(e[n]!==void 0)return e[n];H(`WebGLRenderer: Attempt to use non-existing WebGL internal format '`+n+`'`)}let c;a&&(c=t.get(`EXT_texture_norm16`),c||H(`WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension`));let l=r;if(r===e.RED&&(i===e.FLOAT&&(l=e.R32F),i===e.HALF_FLOAT&&(l=e.R16F),i===e.UNSIGNED_BYTE&&(l=e.R8),i===e.UNSIGNED_SHORT&&c&&(l=c.R16_EXT),i===e.SHORT&&c&&(l=c.R16_SNORM_EXT)),r===e.RED_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.R8UI),i===e.UNSIGNED_SHORT&&(l=e.R16UI),i===e.UNSIGNED_INT&&(l=e.R32UI),i===e.BYTE&&(l=e.R8I),i===e.SHORT&&(l=e.R16I),i===e.INT&&(l=e.R32I)),r===e.RG&&(i===e.FLOAT&&(l=e.RG32F),i===e.HALF_FLOAT&&(l=e.RG16F),i===e.UNSIGNED_BYTE&&(l=e.RG8),i===e.UNSIGNED_SHORT&&c&&(l=c.RG16_EXT),i===e.SHORT&&c&&(l=c.RG16_SNORM_EXT)),r===e.RG_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RG8UI),i===e.UNSIGNED_SHORT&&(l=e.RG16UI),i===e.UNSIGNED_INT&&(l=e.RG32UI),i===e.BYTE&&(l=e.RG8I),i===e.SHORT&&(l=e.RG16I),i===e.INT&&(l=e.RG32I)),r===e.RGB_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGB8UI),i===e.UNSIGNED_SHORT&&(l=e.RGB16UI),i===e.UNSIGNED_INT&&(l=e.RGB32UI),i===e.BYTE&&(l=e.RGB8I),i===e.SHORT&&(l=e.RGB16I),i===e.INT&&(l=e.RGB32I)),r===e.RGBA_INTEGER&&(i===e.UNSIGNED_BYTE&&(l=e.RGBA8UI),i===e.UNSIGNED_SHORT&&(l=e.RGBA16UI),i===e.UNSIGNED_INT&&(l=e.RGBA32UI),i===e.BYTE&&(l=e.RGBA8I),i===e.SHORT&&(l=e.RGBA16I),i===e.INT&&(l=e.RGBA32I)),r===e.RGB&&(i===e.UNSIGNED_SHORT&&c&&(l=c.RGB16_EXT),i===e.SHORT&&c&&(l=c.RGB16_SNORM_EXT),i===e.UNSIGNED_INT_5_9_9_9_REV&&(l=e.RGB9_E5),i===e.UNSIGNED_INT_10F_11F_11F_REV&&(l=e.R11F_G11F_B10F)),r===e.RGBA){let t=s?fa:q.getTransfer(o);i===e.FLOAT&&(l=e.RGBA32F),i===e.HALF_FLOAT&&(l=e.RGBA16F),i===e.UNSIGNED_BYTE&&(l=t===`srgb`?e.SRGB8_ALPHA8:e.RGBA8),i===e.UNSIGNED_SHORT&&c&&(l=c.RGBA16_EXT),i===e.SHORT&&c&&(l=c.RGBA16_SNORM_EXT),i===e.UNSIGNED_SHORT_4_4_4_4&&(l=e.RGBA4),i===e.UNSIGNED_SHORT_5_5_5_1&&(l=e.RGB5_A1)}return(l===e.R16F||l===e.R32F||l===e.RG16F||l===e.RG32F||l===e.RGBA16F||l===e.RGBA32F)&&t.get(`EXT_color_buffer_float`),l}function C(t,n){let r;return t?n===null||n===1014||n===1020?r=e.DEPTH24_STENCIL8:n===1015?r=e.DEPTH32F_STENCIL8:n===1012&&(r=e.DEPTH24_STENCIL8,H(`DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.`)):n===null||n===1014||n===1020?r=e.DEPTH_COMPONENT24:n===1015?r=e.DEPTH_COMPONENT32F:n===1012&&(r=e.DEPTH_COMPONENT16),r}function w(e,t){return y(e)===!0||e.isFramebufferTexture&&e.minFilter!==1003&&e.minFilter!==1006?Math.log2(Math.max(t.width,t.height))+1:e.mipmaps.length>0?e.mipmaps.length:e.isCompressedTexture&&Array.isArray(e.image)?t.mipmaps.length:1}function T(e){let t=new WeakRef(e);r.get(e).__ref=t,m.add(t),h.register(e,t,t)}function E(e){let t=r.get(e).__ref;t!==void 0&&(m.delete(t),h.unregister(t))}function D(e){k(e.target)}function O(e){A(e.target)}function k(e){e.removeEventListener(`dispose`,D),E(e),ee(e),e.isVideoTexture&&u.delete(e),e.isHTMLTexture&&d.delete(e)}function A(e){e.removeEventListener(`dispose`,O),E(e),te(e)}function j(){for(let e of m){let t=e.deref();t!==void 0&&(t.isRenderTarget===!0?A(t):k(t))}m.clear(),d.clear()}function ee(e){let t=r.get(e);if(t.__webglInit===void 0)return;let n=e.source,i=p.get(n);if(i){let r=i[t.__cacheKey];r.usedTimes--,r.usedTimes===0&&M(e),Object.keys(i).length===0&&p.delete(n)}r.remove(e)}function M(t){let n=r.get(t);e.deleteTexture(n.__webglTexture);let i=t.source,a=p.get(i);delete a[n.__cacheKey],o.memory.textures--}function te(t){let n=r.get(t);n.__depthDisposeCallback&&n.__depthDisposeCallback();let i=t.depthTexture;if(i&&i.renderTarget===t&&k(i),t.isWebGLCubeRenderTarget)for(let t=0;t<6;t++){if(Array.isArray(n.__webglFramebuffer[t]))for(let r=0;r<n.__webglFramebuffer[t].length;r++)e.deleteFramebuffer(n.__webglFramebuffer[t][r]);else e.deleteFramebuffer(n.__webglFramebuffer[t]);n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer[t])}else{if(Array.isArray(n.__webglFramebuffer))for(let t=0;t<n.__webglFramebuffer.length;t++)e.deleteFramebuffer(n.__webglFramebuffer[t]);else e.deleteFramebuffer(n.__webglFramebuffer);if(n.__webglDepthbuffer&&e.deleteRenderbuffer(n.__webglDepthbuffer),n.__webglMultisampledFramebuffer&&e.deleteFramebuffer(n.__webglMultisampledFramebuffer),n.__webglColorRenderbuffer)for(let t=0;t<n.__webglColorRenderbuffer.length;t++)n.__webglColorRenderbuffer[t]&&e.deleteRenderbuffer(n.__webglColorRenderbuffer[t]);n.__webglDepthRenderbuffer&&e.deleteRenderbuffer(n.__webglDepthRenderbuffer)}let a=t.textures;for(let t=0,n=a.length;t<n;t++){let n=r.get(a[t]);n.__webglTexture&&(e.deleteTexture(n.__webglTexture),o.memory.textures--),r.remove(a[t])}r.remove(t)}let ne=0;function re(){ne=0}function ie(){return ne}function ae(e){ne=e}function oe(){let e=ne;return e>=i.maxTextures&&H(`WebGLTextures: Trying to use `+(e+1)+` texture units while this GPU supports only `+i.maxTextures),ne+=1,e}function se(e){let t=[];return t.push(e.wrapS),t.push(e.wrapT),t.push(e.wrapR||0),t.push(e.magFilter),t.push(e.minFilter),t.push(e.anisotropy),t.push(e.internalFormat),t.push(e.format),t.push(e.type),t.push(e.generateMipmaps),t.push(e.mipmapsAutoUpdate),t.push(e.premultiplyAlpha),t.push(e.flipY),t.push(e.unpackAlignment),t.push(e.colorSpace),t.join()}function ce(t,i){let a=r.get(t);if(t.isVideoTexture&&z(t),t.isRenderTargetTexture===!1&&t.isExternalTexture!==!0&&t.version>0&&a.__version!==t.version){let e=t.image;if(e===null)H(`WebGLRenderer: Texture marked for update but no image data found.`);else if(e.complete===!1)H(`WebGLRenderer: Texture marked for update but image is incomplete`);else{ge(a,t,i);return}}else t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null);n.bindTexture(e.TEXTURE_2D,a.__webglTexture,e.TEXTURE0+i)}function le(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ge(a,t,i):(t.isExternalTexture&&(a.__webglTexture=t.sourceTexture?t.sourceTexture:null),n.bindTexture(e.TEXTURE_2D_ARRAY,a.__webglTexture,e.TEXTURE0+i))}function N(t,i){let a=r.get(t);t.isRenderTargetTexture===!1&&t.version>0&&a.__version!==t.version?ge(a,t,i):n.bindTexture(e.TEXTURE_3D,a.__webglTexture,e.TEXTURE0+i)}function ue(t,i){let a=r.get(t);t.version>0&&a.__version!==t.version?_e(a,t,i):n.bindTexture(e.TEXTURE_CUBE_MAP,a.__webglTexture,e.TEXTURE0+i)}let P={[Hr]:e.REPEAT,[Ur]:e.CLAMP_TO_EDGE,[Wr]:e.MIRRORED_REPEAT},F={[Gr]:e.NEAREST,[Kr]:e.NEAREST_MIPMAP_NEAREST,[qr]:e.NEAREST_MIPMAP_LINEAR,[Jr]:e.LINEAR,[Yr]:e.LINEAR_MIPMAP_NEAREST,[Xr]:e.LINEAR_MIPMAP_LINEAR},de={512:e.NEVER,519:e.ALWAYS,513:e.LESS,515:e.LEQUAL,514:e.EQUAL,518:e.GEQUAL,516:e.GREATER,517:e.NOTEQUAL};function fe(n,a){if(a.type===1015&&t.has(`OES_texture_float_linear`)===!1&&(a.magFilter===1006||a.magFilter===1007||a.magFilter===1005||a.magFilter===1008||a.minFilter===1006||a.minFilter===1007||a.minFilter===1005||a.minFilter===1008)&&H(`WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device.`),e.texParameteri(n,e.TEXTURE_WRAP_S,P[a.wrapS]),e.texParameteri(n,e.TEXTURE_WRAP_T,P[a.wrapT]),(n===e.TEXTURE_3D||n===e.TEXTURE_2D_ARRAY)&&e.texParameteri(n,e.TEXTURE_WRAP_R,P[a.wrapR]),e.texParameteri(n,e.TEXTURE_MAG_FILTER,F[a.magFilter]),e.texParameteri(n,e.TEXTURE_MIN_FILTER,F[a.minFilter]),a.compareFunction&&(e.texParameteri(n,e.TEXTURE_COMPARE_MODE,e.COMPARE_REF_TO_TEXTURE),e.texParameteri(n,e.TEXTURE_COMPARE_FUNC,de[a.compareFunction])),t.has(`EXT_texture_filter_anisotropic`)===!0){if(a.magFilter===1003||a.minFilter!==1005&&a.minFilter!==1008||a.type===1015&&t.has(`OES_texture_float_linear`)===!1)return;if(a.anisotropy>1||r.get(a).__currentAnisotropy){let o=t.get(`EXT_texture_filter_anisotropic`);e.texParameterf(n,o.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(a.anisotropy,i.getMaxAnisotropy())),r.get(a).__currentAnisotropy=a.anisotropy}}}function pe(t,n){let r=!1;t.__webglInit===void 0&&(t.__webglInit=!0,n.addEventListener(`dispose`,D),T(n));let i=n.source,a=p.get(i);a===void 0&&(a={},p.set(i,a));let s=se(n);if(s!==t.__cacheKey){a[s]===void 0&&(a[s]={texture:e.createTexture(),usedTimes:0},o.memory.textures++,r=!0),a[s].usedTimes++;let i=a[t.__cacheKey];i!==void 0&&(a[t.__cacheKey].usedTimes--,i.usedTimes===0&&M(n)),t.__cacheKey=s,t.__webglTexture=a[s].texture}return r}function me(e,t,n){return Math.floor(Math.floor(e/n)/t)}function he(t,r,i,a){let o=t.updateRanges;if(o.length===0)n.texSubImage2D(e.TEXTURE_2D,0,0,0,r.width,r.height,i,a,r.data);else{o.sort((e,t)=>e.start-t.start);let s=0;for(let e=1;e<o.length;e++){let t=o[s],n=o[e],i=t.start+t.count,a=me(n.start,r.width,4),c=me(t.start,r.width,4);n.start<=i+1&&a===c&&me(n.start+n.count-1,r.width,4)===a?t.count=Math.max(t.count,n.start+n.count-t.start):(++s,o[s]=n)}o.length=s+1;let c=n.getParameter(e.UNPACK_ROW_LENGTH),l=n.getParameter(e.UNPACK_SKIP_PIXELS),u=n.getParameter(e.UNPACK_SKIP_ROWS);n.pixelStorei(e.UNPACK_ROW_LENGTH,r.width);for(let t=0,s=o.length;t<s;t++){let s=o[t],c=Math.floor(s.start/4),l=Math.ceil(s.count/4),u=c%r.width,d=Math.floor(c/r.width),f=l;n.pixelStorei(e.UNPACK_SKIP_PIXELS,u),n.pixelStorei(e.UNPACK_SKIP_ROWS,d),n.texSubImage2D(e.TEXTURE_2D,0,u,d,f,1,i,a,r.data)}t.clearUpdateRanges(),n.pixelStorei(e.UNPACK_ROW_LENGTH,c),n.pixelStorei(e.UNPACK_SKIP_PIXELS,l),n.pixelStorei(e.UNPACK_SKIP_ROWS,u)}}function ge(t,o,s){let c=e.TEXTURE_2D;(o.isDataArrayTexture||o.isCompressedArrayTexture)&&(c=e.TEXTURE_2D_ARRAY),o.isData3DTexture&&(c=e.TEXTURE_3D);let l=pe(t,o),u=o.source;n.bindTexture(c,t.__webglTexture,e.TEXTURE0+s);let f=r.get(u);if(u.version!==f.__version||l===!0){if(n.activeTexture(e.TEXTURE0+s),!(typeof ImageBitmap<`u`&&o.image instanceof ImageBitmap)){let t=q.getPrimaries(q.workingColorSpace),r=o.colorSpace===``?null:q.getPrimaries(o.colorSpace),i=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,i)}n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment);let t=v(o.image,!1,i.maxTextureSize);t=B(o,t);let r=a.convert(o.format,o.colorSpace),p=a.convert(o.type),m=S(o.internalFormat,r,p,o.normalized,o.colorSpace,o.isVideoTexture);fe(c,o);let h,g=o.mipmaps,_=o.isVideoTexture!==!0,x=f.__version===void 0||l===!0,T=u.dataReady,E=w(o,t);if(o.isDepthTexture)m=C(o.format===mi,o.type),x&&(_?n.texStorage2D(e.TEXTURE_2D,1,m,t.width,t.height):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,null));else if(o.isDataTexture){if(g.length>0){_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data);o.generateMipmaps=!1}else _?(x&&n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height),T&&he(o,t,r,p)):n.texImage2D(e.TEXTURE_2D,0,m,t.width,t.height,0,r,p,t.data)}else if(o.isCompressedTexture){if(o.isCompressedArrayTexture){_&&x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,g[0].width,g[0].height,t.depth);for(let i=0,a=g.length;i<a;i++)if(h=g[i],o.format!==1023){if(r!==null){if(_){if(T){if(o.layerUpdates.size>0){let t=Wl(h.width,h.height,o.format,o.type);for(let a of o.layerUpdates){let o=h.data.subarray(a*t/h.data.BYTES_PER_ELEMENT,(a+1)*t/h.data.BYTES_PER_ELEMENT);n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,a,h.width,h.height,1,r,o)}}else n.compressedTexSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,h.data)}}else n.compressedTexImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,h.data,0,0)}else H(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`)}else _?T&&n.texSubImage3D(e.TEXTURE_2D_ARRAY,i,0,0,0,h.width,h.height,t.depth,r,p,h.data):n.texImage3D(e.TEXTURE_2D_ARRAY,i,m,h.width,h.height,t.depth,0,r,p,h.data);o.layerUpdates.size>0&&o.clearLayerUpdates()}else{_&&x&&n.texStorage2D(e.TEXTURE_2D,E,m,g[0].width,g[0].height);for(let t=0,i=g.length;t<i;t++)h=g[t],o.format===1023?_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,p,h.data):n.texImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,r,p,h.data):r===null?H(`WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()`):_?T&&n.compressedTexSubImage2D(e.TEXTURE_2D,t,0,0,h.width,h.height,r,h.data):n.compressedTexImage2D(e.TEXTURE_2D,t,m,h.width,h.height,0,h.data)}}else if(o.isDataArrayTexture){if(_){if(x&&n.texStorage3D(e.TEXTURE_2D_ARRAY,E,m,t.width,t.height,t.depth),T){if(o.layerUpdates.size>0){let i=Wl(t.width,t.height,o.format,o.type);for(let a of o.layerUpdates){let o=t.data.subarray(a*i/t.data.BYTES_PER_ELEMENT,(a+1)*i/t.data.BYTES_PER_ELEMENT);n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,a,t.width,t.height,1,r,p,o)}o.clearLayerUpdates()}else n.texSubImage3D(e.TEXTURE_2D_ARRAY,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)}}else n.texImage3D(e.TEXTURE_2D_ARRAY,0,m,t.width,t.height,t.depth,0,r,p,t.data)}else if(o.isData3DTexture)_?(x&&n.texStorage3D(e.TEXTURE_3D,E,m,t.width,t.height,t.depth),T&&n.texSubImage3D(e.TEXTURE_3D,0,0,0,0,t.width,t.height,t.depth,r,p,t.data)):n.texImage3D(e.TEXTURE_3D,0,m,t.width,t.height,t.depth,0,r,p,t.data);else if(o.isFramebufferTexture){if(x){if(_)n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height);else{let i=t.width,a=t.height;for(let t=0;t<E;t++)n.texImage2D(e.TEXTURE_2D,t,m,i,a,0,r,p,null),i>>=1,a>>=1}}}else if(o.isHTMLTexture){if(`texElementImage2D`in e){let n=e.canvas;if(n.hasAttribute(`layoutsubtree`)||n.setAttribute(`layoutsubtree`,`true`),t.parentNode!==n){n.appendChild(t),d.add(o),n.onpaint=e=>{let t=e.changedElements;for(let e of d)t.includes(e.image)&&(e.needsUpdate=!0)},n.requestPaint();return}if(e.texElementImage2D.length===3)e.texElementImage2D(e.TEXTURE_2D,e.RGBA8,t);else{let n=e.RGBA,r=e.RGBA,i=e.UNSIGNED_BYTE;e.texElementImage2D(e.TEXTURE_2D,0,n,r,i,t)}e.texParameteri(e.TEXTURE_2D,e.TEXTURE_MIN_FILTER,e.LINEAR),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_S,e.CLAMP_TO_EDGE),e.texParameteri(e.TEXTURE_2D,e.TEXTURE_WRAP_T,e.CLAMP_TO_EDGE)}}else if(g.length>0){if(_&&x){let t=Ee(g[0]);n.texStorage2D(e.TEXTURE_2D,E,m,t.width,t.height)}for(let t=0,i=g.length;t<i;t++)h=g[t],_?T&&n.texSubImage2D(e.TEXTURE_2D,t,0,0,r,p,h):n.texImage2D(e.TEXTURE_2D,t,m,r,p,h);o.generateMipmaps=!1}else if(_){if(x){let r=Ee(t);n.texStorage2D(e.TEXTURE_2D,E,m,r.width,r.height)}T&&n.texSubImage2D(e.TEXTURE_2D,0,0,0,r,p,t)}else n.texImage2D(e.TEXTURE_2D,0,m,r,p,t);y(o)&&o.mipmapsAutoUpdate===!0&&b(c),f.__version=u.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function _e(t,o,s){if(o.image.length!==6)return;let c=pe(t,o),l=o.source;n.bindTexture(e.TEXTURE_CUBE_MAP,t.__webglTexture,e.TEXTURE0+s);let u=r.get(l);if(l.version!==u.__version||c===!0){n.activeTexture(e.TEXTURE0+s);let t=q.getPrimaries(q.workingColorSpace),r=o.colorSpace===``?null:q.getPrimaries(o.colorSpace),d=o.colorSpace===``||t===r?e.NONE:e.BROWSER_DEFAULT_WEBGL;n.pixelStorei(e.UNPACK_FLIP_Y_WEBGL,o.flipY),n.pixelStorei(e.UNPACK_PREMULTIPLY_ALPHA_WEBGL,o.premultiplyAlpha),n.pixelStorei(e.UNPACK_ALIGNMENT,o.unpackAlignment),n.pixelStorei(e.UNPACK_COLORSPACE_CONVERSION_WEBGL,d);let f=o.isCompressedTexture||o.image[0].isCompressedTexture,p=o.image[0]&&o.image[0].isDataTexture,m=[];for(let e=0;e<6;e++)!f&&!p?m[e]=v(o.image[e],!0,i.maxCubemapSize):m[e]=p?o.image[e].image:o.image[e],m[e]=B(o,m[e]);let h=m[0],g=a.convert(o.format,o.colorSpace),_=a.convert(o.type),x=S(o.internalFormat,g,_,o.normalized,o.colorSpace),T=o.isVideoTexture!==!0,E=u.__version===void 0||c===!0,D=l.dataReady,O=w(o,h);fe(e.TEXTURE_CUBE_MAP,o);let k;if(o.isDepthTexture){if(x=C(o.format===mi,o.type),E){if(T)n.texStorage2D(e.TEXTURE_CUBE_MAP,1,x,h.width,h.height);else for(let t=0;t<6;t++)n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,h.width,h.height,0,g,_,null)}}else if(f){T&&E&&n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,h.width,h.height);for(let t=0;t<6;t++){k=m[t].mipmaps;for(let r=0;r<k.length;r++){let i=k[r];o.format===1023?T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,g,_,i.data):g===null?H(`WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()`):T?D&&n.compressedTexSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,0,0,i.width,i.height,g,i.data):n.compressedTexImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r,x,i.width,i.height,0,i.data)}}}else{if(k=o.mipmaps,T&&E){k.length>0&&O++;let t=Ee(m[0]);n.texStorage2D(e.TEXTURE_CUBE_MAP,O,x,t.width,t.height)}for(let t=0;t<6;t++)if(p){T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,m[t].width,m[t].height,g,_,m[t].data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,m[t].width,m[t].height,0,g,_,m[t].data);for(let r=0;r<k.length;r++){let i=k[r].image[t].image;T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,i.width,i.height,g,_,i.data):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,i.width,i.height,0,g,_,i.data)}}else{T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,0,0,g,_,m[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,0,x,g,_,m[t]);for(let r=0;r<k.length;r++){let i=k[r];T?D&&n.texSubImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,0,0,g,_,i.image[t]):n.texImage2D(e.TEXTURE_CUBE_MAP_POSITIVE_X+t,r+1,x,g,_,i.image[t])}}}y(o)&&o.mipmapsAutoUpdate===!0&&b(e.TEXTURE_CUBE_MAP),u.__version=l.version,o.onUpdate&&o.onUpdate(o)}t.__version=o.version}function ve(t,i,o,c,l,u){let d=a.convert(o.format,o.colorSpace),f=a.convert(o.type),p=S(o.internalFormat,d,f,o.normalized,o.colorSpace),m=r.get(i),h=r.get(o);if(h.__renderTarget=i,!m.__hasExternalTextures){let t=Math.max(1,i.width>>u),r=Math.max(1,i.height>>u);l===e.TEXTURE_3D||l===e.TEXTURE_2D_ARRAY?n.texImage3D(l,u,p,t,r,i.depth,0,d,f,null):n.texImage2D(l,u,p,t,r,0,d,f,null)}n.bindFramebuffer(e.FRAMEBUFFER,t),Te(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,c,l,h.__webglTexture,0,R(i)):(l===e.TEXTURE_2D||l>=e.TEXTURE_CUBE_MAP_POSITIVE_X&&l<=e.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&e.framebufferTexture2D(e.FRAMEBUFFER,c,l,h.__webglTexture,u),n.bindFramebuffer(e.FRAMEBUFFER,null)}function ye(t,n,r){if(e.bindRenderbuffer(e.RENDERBUFFER,t),n.depthBuffer){let i=n.depthTexture,a=i&&i.isDepthTexture?i.type:null,o=C(n.stencilBuffer,a),c=n.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;Te(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,R(n),o,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,R(n),o,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,o,n.width,n.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,c,e.RENDERBUFFER,t)}else{let t=n.textures;for(let i=0;i<t.length;i++){let o=t[i],c=a.convert(o.format,o.colorSpace),l=a.convert(o.type),u=S(o.internalFormat,c,l,o.normalized,o.colorSpace);Te(n)?s.renderbufferStorageMultisampleEXT(e.RENDERBUFFER,R(n),u,n.width,n.height):r?e.renderbufferStorageMultisample(e.RENDERBUFFER,R(n),u,n.width,n.height):e.renderbufferStorage(e.RENDERBUFFER,u,n.width,n.height)}}e.bindRenderbuffer(e.RENDERBUFFER,null)}function I(t,i,a){let o=i.isWebGLCubeRenderTarget===!0;if(n.bindFramebuffer(e.FRAMEBUFFER,t),!(i.depthTexture&&i.depthTexture.isDepthTexture))throw Error(`THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.`);let c=r.get(i.depthTexture);c.__renderTarget=i;let l=o?i.depthTexture.image[0]:i.depthTexture.image;(!c.__webglTexture||l.width!==i.width||l.height!==i.height)&&(l.width=i.width,l.height=i.height,i.depthTexture.needsUpdate=!0),o?ue(i.depthTexture,0):ce(i.depthTexture,0);let u=c.__webglTexture,d=R(i),f=o?e.TEXTURE_CUBE_MAP_POSITIVE_X+a:e.TEXTURE_2D,p=i.depthTexture.format===1027?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;if(i.depthTexture.format===1026)Te(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else if(i.depthTexture.format===1027)Te(i)?s.framebufferTexture2DMultisampleEXT(e.FRAMEBUFFER,p,f,u,0,d):e.framebufferTexture2D(e.FRAMEBUFFER,p,f,u,0);else throw Error(`THREE.WebGLTextures: Unknown depthTexture format.`)}function be(t){let i=r.get(t),a=t.isWebGLCubeRenderTarget===!0;if(i.__boundDepthTexture!==t.depthTexture){let e=t.depthTexture;if(i.__depthDisposeCallback&&i.__depthDisposeCallback(),e){let t=()=>{delete i.__boundDepthTexture,delete i.__depthDisposeCallback,e.removeEventListener(`dispose`,t)};e.addEventListener(`dispose`,t),i.__depthDisposeCallback=t}i.__boundDepthTexture=e}if(t.depthTexture&&!i.__autoAllocateDepthBuffer){if(a)for(let e=0;e<6;e++)I(i.__webglFramebuffer[e],t,e);else t.texture.mipmaps.length>0?I(i.__webglFramebuffer[0],t,0):I(i.__webglFramebuffer,t,0)}else if(a){i.__webglDepthbuffer=[];for(let r=0;r<6;r++)if(n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[r]),i.__webglDepthbuffer[r]===void 0)i.__webglDepthbuffer[r]=e.createRenderbuffer(),ye(i.__webglDepthbuffer[r],t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,a=i.__webglDepthbuffer[r];e.bindRenderbuffer(e.RENDERBUFFER,a),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,a)}}else if(t.texture.mipmaps.length>0?n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer[0]):n.bindFramebuffer(e.FRAMEBUFFER,i.__webglFramebuffer),i.__webglDepthbuffer===void 0)i.__webglDepthbuffer=e.createRenderbuffer(),ye(i.__webglDepthbuffer,t,!1);else{let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,r=i.__webglDepthbuffer;e.bindRenderbuffer(e.RENDERBUFFER,r),e.framebufferRenderbuffer(e.FRAMEBUFFER,n,e.RENDERBUFFER,r)}n.bindFramebuffer(e.FRAMEBUFFER,null)}function xe(t,n,i){let a=r.get(t);n!==void 0&&ve(a.__webglFramebuffer,t,t.texture,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,0),i!==void 0&&be(t)}function L(t){let i=t.texture,s=r.get(t),c=r.get(i);t.addEventListener(`dispose`,O),T(t);let l=t.textures,u=t.isWebGLCubeRenderTarget===!0,d=l.length>1;if(d||(c.__webglTexture===void 0&&(c.__webglTexture=e.createTexture()),c.__version=i.version,o.memory.textures++),u){s.__webglFramebuffer=[];for(let t=0;t<6;t++)if(i.mipmaps.length>0){s.__webglFramebuffer[t]=[];for(let n=0;n<i.mipmaps.length;n++)s.__webglFramebuffer[t][n]=e.createFramebuffer()}else s.__webglFramebuffer[t]=e.createFramebuffer()}else{if(i.mipmaps.length>0){s.__webglFramebuffer=[];for(let t=0;t<i.mipmaps.length;t++)s.__webglFramebuffer[t]=e.createFramebuffer()}else s.__webglFramebuffer=e.createFramebuffer();if(d)for(let t=0,n=l.length;t<n;t++){let n=r.get(l[t]);n.__webglTexture===void 0&&(n.__webglTexture=e.createTexture(),o.memory.textures++)}if(t.samples>0&&Te(t)===!1){s.__webglMultisampledFramebuffer=e.createFramebuffer(),s.__webglColorRenderbuffer=[],n.bindFramebuffer(e.FRAMEBUFFER,s.__webglMultisampledFramebuffer);for(let n=0;n<l.length;n++){let r=l[n];s.__webglColorRenderbuffer[n]=e.createRenderbuffer(),e.bindRenderbuffer(e.RENDERBUFFER,s.__webglColorRenderbuffer[n]);let i=a.convert(r.format,r.colorSpace),o=a.convert(r.type),c=S(r.internalFormat,i,o,r.normalized,r.colorSpace,t.isXRRenderTarget===!0),u=R(t);e.renderbufferStorageMultisample(e.RENDERBUFFER,u,c,t.width,t.height),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+n,e.RENDERBUFFER,s.__webglColorRenderbuffer[n])}e.bindRenderbuffer(e.RENDERBUFFER,null),t.depthBuffer&&(s.__webglDepthRenderbuffer=e.createRenderbuffer(),ye(s.__webglDepthRenderbuffer,t,!0)),n.bindFramebuffer(e.FRAMEBUFFER,null)}}if(u){n.bindTexture(e.TEXTURE_CUBE_MAP,c.__webglTexture),fe(e.TEXTURE_CUBE_MAP,i);for(let n=0;n<6;n++)if(i.mipmaps.length>0)for(let r=0;r<i.mipmaps.length;r++)ve(s.__webglFramebuffer[n][r],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,r);else ve(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,e.TEXTURE_CUBE_MAP_POSITIVE_X+n,0);y(i)?b(e.TEXTURE_CUBE_MAP):i.mipmaps.length>0&&e.texParameteri(e.TEXTURE_CUBE_MAP,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}else if(d){for(let i=0,a=l.length;i<a;i++){let a=l[i],o=r.get(a),c=e.TEXTURE_2D;(t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(c=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(c,o.__webglTexture),fe(c,a),ve(s.__webglFramebuffer,t,a,e.COLOR_ATTACHMENT0+i,c,0),y(a)&&b(c)}n.unbindTexture()}else{let r=e.TEXTURE_2D;if((t.isWebGL3DRenderTarget||t.isWebGLArrayRenderTarget)&&(r=t.isWebGL3DRenderTarget?e.TEXTURE_3D:e.TEXTURE_2D_ARRAY),n.bindTexture(r,c.__webglTexture),fe(r,i),i.mipmaps.length>0)for(let n=0;n<i.mipmaps.length;n++)ve(s.__webglFramebuffer[n],t,i,e.COLOR_ATTACHMENT0,r,n);else ve(s.__webglFramebuffer,t,i,e.COLOR_ATTACHMENT0,r,0);y(i)?b(r):i.mipmaps.length>0&&e.texParameteri(r,e.TEXTURE_MAX_LEVEL,i.mipmaps.length-1),n.unbindTexture()}t.depthBuffer&&be(t)}function Se(e){let t=e.textures;for(let i=0,a=t.length;i<a;i++){let a=t[i];if(y(a)&&a.mipmapsAutoUpdate===!0){let t=x(e),i=r.get(a).__webglTexture;n.bindTexture(t,i),b(t),n.unbindTexture()}}}let Ce=[];function we(t){if(t.samples>0){if(Te(t)===!1){let i=t.textures,a=t.width,o=t.height,s=e.COLOR_BUFFER_BIT,l=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT,u=r.get(t),d=i.length>1;if(d)for(let t=0;t<i.length;t++)n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,null),n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,null,0);n.bindFramebuffer(e.READ_FRAMEBUFFER,u.__webglMultisampledFramebuffer),t.texture.mipmaps.length>0?n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer[0]):n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglFramebuffer);for(let n=0;n<i.length;n++){if(t.resolveDepthBuffer&&(t.depthBuffer&&(s|=e.DEPTH_BUFFER_BIT),t.stencilBuffer&&t.resolveStencilBuffer&&(s|=e.STENCIL_BUFFER_BIT)),d){e.framebufferRenderbuffer(e.READ_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.RENDERBUFFER,u.__webglColorRenderbuffer[n]);let t=r.get(i[n]).__webglTexture;e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0,e.TEXTURE_2D,t,0)}e.blitFramebuffer(0,0,a,o,0,0,a,o,s,e.NEAREST),c===!0&&(Ce.length=0,Ce.push(e.COLOR_ATTACHMENT0+n),t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&Ce.push(l),e.invalidateFramebuffer(e.READ_FRAMEBUFFER,Ce))}if(n.bindFramebuffer(e.READ_FRAMEBUFFER,null),n.bindFramebuffer(e.DRAW_FRAMEBUFFER,null),d)for(let t=0;t<i.length;t++){n.bindFramebuffer(e.FRAMEBUFFER,u.__webglMultisampledFramebuffer),e.framebufferRenderbuffer(e.FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.RENDERBUFFER,u.__webglColorRenderbuffer[t]);let a=r.get(i[t]).__webglTexture;n.bindFramebuffer(e.FRAMEBUFFER,u.__webglFramebuffer),e.framebufferTexture2D(e.DRAW_FRAMEBUFFER,e.COLOR_ATTACHMENT0+t,e.TEXTURE_2D,a,0)}n.bindFramebuffer(e.DRAW_FRAMEBUFFER,u.__webglMultisampledFramebuffer)}else if(t.depthBuffer&&t.storeMultisampledDepthBuffer===!1&&c){let n=t.stencilBuffer?e.DEPTH_STENCIL_ATTACHMENT:e.DEPTH_ATTACHMENT;e.invalidateFramebuffer(e.DRAW_FRAMEBUFFER,[n])}}}function R(e){return Math.min(i.maxSamples,e.samples)}function Te(e){let n=r.get(e);return e.samples>0&&t.has(`WEBGL_multisampled_render_to_texture`)===!0&&n.__useRenderToTexture!==!1}function z(e){let t=o.render.frame;u.get(e)!==t&&(u.set(e,t),e.update())}function B(e,t){let n=e.colorSpace,r=e.format,i=e.type;return e.isCompressedTexture===!0||e.isVideoTexture===!0||n!==`srgb-linear`&&n!==``&&(q.getTransfer(n)===`srgb`?(r!==1023||i!==1009)&&H(`WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType.`):U(`WebGLTextures: Unsupported texture color space:`,n)),t}function Ee(e){return typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement?(l.width=e.naturalWidth||e.width,l.height=e.naturalHeight||e.height):typeof VideoFrame<`u`&&e instanceof VideoFrame?(l.width=e.displayWidth,l.height=e.displayHeight):(l.width=e.width,l.height=e.height),l}this.allocateTextureUnit=oe,this.resetTextureUnits=re,this.getTextureUnits=ie,this.setTextureUnits=ae,this.setTexture2D=ce,this.setTexture2DArray=le,this.setTexture3D=N,this.setTextureCube=ue,this.rebindTextures=xe,this.setupRenderTarget=L,this.updateRenderTargetMipmap=Se,this.updateMultisampleRenderTarget=we,this.setupDepthRenderbuffer=be,this.setupFrameBufferTexture=ve,this.useMultisampledRTT=Te,this.dispose=j}function Wf(e,t){function n(n,r=``){let i,a=q.getTransfer(r);if(n===1009)return e.UNSIGNED_BYTE;if(n===1017)return e.UNSIGNED_SHORT_4_4_4_4;if(n===1018)return e.UNSIGNED_SHORT_5_5_5_1;if(n===35902)return e.UNSIGNED_INT_5_9_9_9_REV;if(n===35899)return e.UNSIGNED_INT_10F_11F_11F_REV;if(n===1010)return e.BYTE;if(n===1011)return e.SHORT;if(n===1012)return e.UNSIGNED_SHORT;if(n===1013)return e.INT;if(n===1014)return e.UNSIGNED_INT;if(n===1015)return e.FLOAT;if(n===1016)return e.HALF_FLOAT;if(n===1021)return e.ALPHA;if(n===1022)return e.RGB;if(n===1023)return e.RGBA;if(n===1026)return e.DEPTH_COMPONENT;if(n===1027)return e.DEPTH_STENCIL;if(n===1028)return e.RED;if(n===1029)return e.RED_INTEGER;if(n===1030)return e.RG;if(n===1031)return e.RG_INTEGER;if(n===1033)return e.RGBA_INTEGER;if(n===33776||n===33777||n===33778||n===33779){if(a===`srgb`){if(i=t.get(`WEBGL_compressed_texture_s3tc_srgb`),i!==null){if(n===33776)return i.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null}else if(i=t.get(`WEBGL_compressed_texture_s3tc`),i!==null){if(n===33776)return i.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===33777)return i.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===33778)return i.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===33779)return i.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null}if(n===35840||n===35841||n===35842||n===35843){if(i=t.get(`WEBGL_compressed_texture_pvrtc`),i!==null){if(n===35840)return i.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===35841)return i.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===35842)return i.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===35843)return i.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null}if(n===36196||n===37492||n===37496||n===37488||n===37489||n===37490||n===37491){if(i=t.get(`WEBGL_compressed_texture_etc`),i!==null){if(n===36196||n===37492)return a===`srgb`?i.COMPRESSED_SRGB8_ETC2:i.COMPRESSED_RGB8_ETC2;if(n===37496)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:i.COMPRESSED_RGBA8_ETC2_EAC;if(n===37488)return i.COMPRESSED_R11_EAC;if(n===37489)return i.COMPRESSED_SIGNED_R11_EAC;if(n===37490)return i.COMPRESSED_RG11_EAC;if(n===37491)return i.COMPRESSED_SIGNED_RG11_EAC}else return null}if(n===37808||n===37809||n===37810||n===37811||n===37812||n===37813||n===37814||n===37815||n===37816||n===37817||n===37818||n===37819||n===37820||n===37821){if(i=t.get(`WEBGL_compressed_texture_astc`),i!==null){if(n===37808)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:i.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===37809)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:i.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===37810)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:i.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===37811)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:i.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===37812)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:i.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===37813)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:i.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===37814)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:i.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===37815)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:i.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===37816)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:i.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===37817)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:i.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===37818)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:i.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===37819)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:i.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===37820)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:i.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===37821)return a===`srgb`?i.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:i.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null}if(n===36492||n===36494||n===36495){if(i=t.get(`EXT_texture_compression_bptc`),i!==null){if(n===36492)return a===`srgb`?i.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:i.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===36494)return i.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===36495)return i.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null}if(n===36283||n===36284||n===36285||n===36286){if(i=t.get(`EXT_texture_compression_rgtc`),i!==null){if(n===36283)return i.COMPRESSED_RED_RGTC1_EXT;if(n===36284)return i.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===36285)return i.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===36286)return i.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null}return n===1020?e.UNSIGNED_INT_24_8:e[n]===void 0?null:e[n]}return{convert:n}}var Gf=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,Kf=`
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

}`,qf=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Rc(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new Yc({vertexShader:Gf,fragmentShader:Kf,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new lc(new Bc(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Jf=class extends Oa{constructor(e,t){super();let n=this,r=null,i=1,a=null,o=`local-floor`,s=1,c=null,l=null,u=null,d=null,f=null,p=null,m=typeof XRWebGLBinding<`u`,h=new qf,g={},_=t.getContextAttributes(),v=null,y=null,b=[],x=[],S=new za,C=null,w=null,T=new El;T.viewport=new ro;let E=new El;E.viewport=new ro;let D=[T,E],O=new jl,k=null,A=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(e){let t=b[e];return t===void 0&&(t=new zo,b[e]=t),t.getTargetRaySpace()},this.getControllerGrip=function(e){let t=b[e];return t===void 0&&(t=new zo,b[e]=t),t.getGripSpace()},this.getHand=function(e){let t=b[e];return t===void 0&&(t=new zo,b[e]=t),t.getHandSpace()};function j(e){let t=x.indexOf(e.inputSource);if(t===-1)return;let n=b[t];n!==void 0&&(n.update(e.inputSource,e.frame,c||a),n.dispatchEvent({type:e.type,data:e.inputSource}))}function ee(){r.removeEventListener(`select`,j),r.removeEventListener(`selectstart`,j),r.removeEventListener(`selectend`,j),r.removeEventListener(`squeeze`,j),r.removeEventListener(`squeezestart`,j),r.removeEventListener(`squeezeend`,j),r.removeEventListener(`end`,ee),r.removeEventListener(`inputsourceschange`,M);for(let e=0;e<b.length;e++){let t=x[e];t!==null&&(x[e]=null,b[e].disconnect(t))}k=null,A=null,h.reset();for(let e in g)delete g[e];if(e.setRenderTarget(v),f=null,d=null,u=null,r=null,y=null,ae.stop(),n.isPresenting=!1,e.setPixelRatio(C),e.setSize(S.width,S.height,!1),w!==null){let e=w.camera;e.fov=w.fov,e.zoom=w.zoom,e.updateProjectionMatrix(),w=null}n.dispatchEvent({type:`sessionend`})}this.setFramebufferScaleFactor=function(e){i=e,n.isPresenting===!0&&H(`WebXRManager: Cannot change framebuffer scale while presenting.`)},this.setReferenceSpaceType=function(e){o=e,n.isPresenting===!0&&H(`WebXRManager: Cannot change reference space type while presenting.`)},this.getReferenceSpace=function(){return c||a},this.setReferenceSpace=function(e){c=e},this.getBaseLayer=function(){return d===null?f:d},this.getBinding=function(){return u===null&&m&&(u=new XRWebGLBinding(r,t)),u},this.getFrame=function(){return p},this.getSession=function(){return r},this.setSession=async function(l){if(r=l,r!==null){if(v=e.getRenderTarget(),r.addEventListener(`select`,j),r.addEventListener(`selectstart`,j),r.addEventListener(`selectend`,j),r.addEventListener(`squeeze`,j),r.addEventListener(`squeezestart`,j),r.addEventListener(`squeezeend`,j),r.addEventListener(`end`,ee),r.addEventListener(`inputsourceschange`,M),_.xrCompatible!==!0&&await t.makeXRCompatible(),C=e.getPixelRatio(),e.getSize(S),m&&`createProjectionLayer`in XRWebGLBinding.prototype){let n=null,a=null,o=null;_.depth&&(o=_.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,n=_.stencil?mi:pi,a=_.stencil?si:ni);let s={colorFormat:t.RGBA8,depthFormat:o,scaleFactor:i};u=this.getBinding(),d=u.createProjectionLayer(s),r.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),y=new ao(d.textureWidth,d.textureHeight,{format:fi,type:Zr,depthTexture:new Ic(d.textureWidth,d.textureHeight,a,void 0,void 0,void 0,void 0,void 0,void 0,n),stencilBuffer:_.stencil,colorSpace:e.outputColorSpace,samples:_.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let n={antialias:_.antialias,alpha:!0,depth:_.depth,stencil:_.stencil,framebufferScaleFactor:i};f=new XRWebGLLayer(r,t,n),r.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),y=new ao(f.framebufferWidth,f.framebufferHeight,{format:fi,type:Zr,colorSpace:e.outputColorSpace,stencilBuffer:_.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}y.isXRRenderTarget=!0,this.setFoveation(s),c=null,a=await r.requestReferenceSpace(o),ae.setContext(r),ae.start(),n.isPresenting=!0,n.dispatchEvent({type:`sessionstart`})}},this.getEnvironmentBlendMode=function(){if(r!==null)return r.environmentBlendMode},this.getDepthTexture=function(){return h.getDepthTexture()};function M(e){for(let t=0;t<e.removed.length;t++){let n=e.removed[t],r=x.indexOf(n);r>=0&&(x[r]=null,b[r].disconnect(n))}for(let t=0;t<e.added.length;t++){let n=e.added[t],r=x.indexOf(n);if(r===-1){for(let e=0;e<b.length;e++)if(e>=x.length){x.push(n),r=e;break}else if(x[e]===null){x[e]=n,r=e;break}if(r===-1)break}let i=b[r];i&&i.connect(n)}}function te(e,t){t===null?e.matrixWorld.copy(e.matrix):e.matrixWorld.multiplyMatrices(t.matrixWorld,e.matrix),e.matrixWorldInverse.copy(e.matrixWorld).invert()}this.updateCamera=function(e){if(r===null)return;let t=e.near,n=e.far;h.texture!==null&&(h.depthNear>0&&(t=h.depthNear),h.depthFar>0&&(n=h.depthFar)),O.near=E.near=T.near=t,O.far=E.far=T.far=n,(k!==O.near||A!==O.far)&&(r.updateRenderState({depthNear:O.near,depthFar:O.far}),k=O.near,A=O.far),O.layers.mask=e.layers.mask|6,T.layers.mask=O.layers.mask&-5,E.layers.mask=O.layers.mask&-3;let i=e.parent,a=O.cameras;te(O,i);for(let e=0;e<a.length;e++)te(a[e],i);O.projectionMatrix.copy(T.projectionMatrix),O.projectionMatrixInverse.copy(T.projectionMatrixInverse),w===null&&e.isPerspectiveCamera&&(w={camera:e,fov:e.fov,zoom:e.zoom}),ne(e,O,i)};function ne(e,t,n){n===null?e.matrix.copy(t.matrixWorld):(e.matrix.copy(n.matrixWorld),e.matrix.invert(),e.matrix.multiply(t.matrixWorld)),e.matrix.decompose(e.position,e.quaternion,e.scale),e.updateMatrixWorld(!0),e.projectionMatrix.copy(t.projectionMatrix),e.projectionMatrixInverse.copy(t.projectionMatrixInverse),e.isPerspectiveCamera&&(e.fov=ja*2*Math.atan(1/e.projectionMatrix.elements[5]),e.zoom=1)}this.getCamera=function(){return O},this.getFoveation=function(){if(d!==null||f!==null)return s},this.setFoveation=function(e){s=e,d!==null&&(d.fixedFoveation=e),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=e)},this.hasDepthSensing=function(){return h.texture!==null},this.getDepthSensingMesh=function(){return h.getMesh(O)},this.getCameraTexture=function(e){return g[e]};let re=null;function ie(t,i){if(l=i.getViewerPose(c||a),p=i,l!==null){let t=l.views;f!==null&&(e.setRenderTargetFramebuffer(y,f.framebuffer),e.setRenderTarget(y));let i=!1;t.length!==O.cameras.length&&(O.cameras.length=0,i=!0);for(let n=0;n<t.length;n++){let r=t[n],a=null;if(f!==null)a=f.getViewport(r);else{let t=u.getViewSubImage(d,r);a=t.viewport,n===0&&(e.setRenderTargetTextures(y,t.colorTexture,t.depthStencilTexture),e.setRenderTarget(y))}let o=D[n];o===void 0&&(o=new El,o.layers.enable(n),o.viewport=new ro,D[n]=o),o.matrix.fromArray(r.transform.matrix),o.matrix.decompose(o.position,o.quaternion,o.scale),o.projectionMatrix.fromArray(r.projectionMatrix),o.projectionMatrixInverse.copy(o.projectionMatrix).invert(),o.viewport.set(a.x,a.y,a.width,a.height),n===0&&(O.matrix.copy(o.matrix),O.matrix.decompose(O.position,O.quaternion,O.scale)),i===!0&&O.cameras.push(o)}let a=r.enabledFeatures;if(a&&a.includes(`depth-sensing`)&&r.depthUsage==`gpu-optimized`&&m){u=n.getBinding();let e=u.getDepthInformation(t[0]);e&&e.isValid&&e.texture&&h.init(e,r.renderState)}if(a&&a.includes(`camera-access`)&&m){e.state.unbindTexture(),u=n.getBinding();for(let e=0;e<t.length;e++){let n=t[e].camera;if(n){let e=g[n];e||(e=new Rc,g[n]=e);let t=u.getCameraImage(n);e.sourceTexture=t}}}}for(let e=0;e<b.length;e++){let t=x[e],n=b[e];t!==null&&n!==void 0&&n.update(t,i,c||a)}re&&re(t,i),i.detectedPlanes&&n.dispatchEvent({type:`planesdetected`,data:i}),p=null}let ae=new Kl;ae.setAnimationLoop(ie),this.setAnimationLoop=function(e){re=e},this.dispose=function(){}}},Yf=new co,Xf=new K;Xf.set(-1,0,0,0,1,0,0,0,1);function Zf(e,t){function n(e,t){e.matrixAutoUpdate===!0&&e.updateMatrix(),t.value.copy(e.matrix)}function r(t,n){n.color.getRGB(t.fogColor.value,Gc(e)),n.isFog?(t.fogNear.value=n.near,t.fogFar.value=n.far):n.isFogExp2&&(t.fogDensity.value=n.density)}function i(e,t,n,r,i){t.isNodeMaterial?t.uniformsNeedUpdate=!1:t.isMeshBasicMaterial?a(e,t):t.isMeshLambertMaterial?(a(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshToonMaterial?(a(e,t),d(e,t)):t.isMeshPhongMaterial?(a(e,t),u(e,t),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)):t.isMeshStandardMaterial?(a(e,t),f(e,t),t.isMeshPhysicalMaterial&&p(e,t,i)):t.isMeshMatcapMaterial?(a(e,t),m(e,t)):t.isMeshDepthMaterial?a(e,t):t.isMeshDistanceMaterial?(a(e,t),h(e,t)):t.isMeshNormalMaterial?a(e,t):t.isLineBasicMaterial?(o(e,t),t.isLineDashedMaterial&&s(e,t)):t.isPointsMaterial?c(e,t,n,r):t.isSpriteMaterial?l(e,t):t.isShadowMaterial?(e.color.value.copy(t.color),e.opacity.value=t.opacity):t.isShaderMaterial&&(t.uniformsNeedUpdate=!1)}function a(e,r){e.opacity.value=r.opacity,r.color&&e.diffuse.value.copy(r.color),r.emissive&&e.emissive.value.copy(r.emissive).multiplyScalar(r.emissiveIntensity),r.map&&(e.map.value=r.map,n(r.map,e.mapTransform)),r.alphaMap&&(e.alphaMap.value=r.alphaMap,n(r.alphaMap,e.alphaMapTransform)),r.bumpMap&&(e.bumpMap.value=r.bumpMap,n(r.bumpMap,e.bumpMapTransform),e.bumpScale.value=r.bumpScale,r.side===1&&(e.bumpScale.value*=-1)),r.normalMap&&(e.normalMap.value=r.normalMap,n(r.normalMap,e.normalMapTransform),e.normalScale.value.copy(r.normalScale),r.side===1&&e.normalScale.value.negate()),r.displacementMap&&(e.displacementMap.value=r.displacementMap,n(r.displacementMap,e.displacementMapTransform),e.displacementScale.value=r.displacementScale,e.displacementBias.value=r.displacementBias),r.emissiveMap&&(e.emissiveMap.value=r.emissiveMap,n(r.emissiveMap,e.emissiveMapTransform)),r.specularMap&&(e.specularMap.value=r.specularMap,n(r.specularMap,e.specularMapTransform)),r.alphaTest>0&&(e.alphaTest.value=r.alphaTest);let i=t.get(r),a=i.envMap,o=i.envMapRotation;a&&(e.envMap.value=a,e.envMapRotation.value.setFromMatrix4(Yf.makeRotationFromEuler(o)).transpose(),a.isCubeTexture&&a.isRenderTargetTexture===!1&&e.envMapRotation.value.premultiply(Xf),e.reflectivity.value=r.reflectivity,e.ior.value=r.ior,e.refractionRatio.value=r.refractionRatio),r.lightMap&&(e.lightMap.value=r.lightMap,e.lightMapIntensity.value=r.lightMapIntensity,n(r.lightMap,e.lightMapTransform)),r.aoMap&&(e.aoMap.value=r.aoMap,e.aoMapIntensity.value=r.aoMapIntensity,n(r.aoMap,e.aoMapTransform))}function o(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform))}function s(e,t){e.dashSize.value=t.dashSize,e.totalSize.value=t.dashSize+t.gapSize,e.scale.value=t.scale}function c(e,t,r,i){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.size.value=t.size*r,e.scale.value=i*.5,t.map&&(e.map.value=t.map,n(t.map,e.uvTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function l(e,t){e.diffuse.value.copy(t.color),e.opacity.value=t.opacity,e.rotation.value=t.rotation,t.map&&(e.map.value=t.map,n(t.map,e.mapTransform)),t.alphaMap&&(e.alphaMap.value=t.alphaMap,n(t.alphaMap,e.alphaMapTransform)),t.alphaTest>0&&(e.alphaTest.value=t.alphaTest)}function u(e,t){e.specular.value.copy(t.specular),e.shininess.value=Math.max(t.shininess,1e-4)}function d(e,t){t.gradientMap&&(e.gradientMap.value=t.gradientMap)}function f(e,t){e.metalness.value=t.metalness,t.metalnessMap&&(e.metalnessMap.value=t.metalnessMap,n(t.metalnessMap,e.metalnessMapTransform)),e.roughness.value=t.roughness,t.roughnessMap&&(e.roughnessMap.value=t.roughnessMap,n(t.roughnessMap,e.roughnessMapTransform)),t.envMap&&(e.envMapIntensity.value=t.envMapIntensity)}function p(e,t,r){e.ior.value=t.ior,t.diffuseRoughness>0&&(e.diffuseRoughness.value=t.diffuseRoughness,t.diffuseRoughnessMap&&(e.diffuseRoughnessMap.value=t.diffuseRoughnessMap,n(t.diffuseRoughnessMap,e.diffuseRoughnessMapTransform))),t.sheen>0&&(e.sheenColor.value.copy(t.sheenColor).multiplyScalar(t.sheen),e.sheenRoughness.value=t.sheenRoughness,t.sheenColorMap&&(e.sheenColorMap.value=t.sheenColorMap,n(t.sheenColorMap,e.sheenColorMapTransform)),t.sheenRoughnessMap&&(e.sheenRoughnessMap.value=t.sheenRoughnessMap,n(t.sheenRoughnessMap,e.sheenRoughnessMapTransform))),t.clearcoat>0&&(e.clearcoat.value=t.clearcoat,e.clearcoatRoughness.value=t.clearcoatRoughness,t.clearcoatMap&&(e.clearcoatMap.value=t.clearcoatMap,n(t.clearcoatMap,e.clearcoatMapTransform)),t.clearcoatRoughnessMap&&(e.clearcoatRoughnessMap.value=t.clearcoatRoughnessMap,n(t.clearcoatRoughnessMap,e.clearcoatRoughnessMapTransform)),t.clearcoatNormalMap&&(e.clearcoatNormalMap.value=t.clearcoatNormalMap,n(t.clearcoatNormalMap,e.clearcoatNormalMapTransform),e.clearcoatNormalScale.value.copy(t.clearcoatNormalScale),t.side===1&&e.clearcoatNormalScale.value.negate())),t.dispersion>0&&(e.dispersion.value=t.dispersion),t.retroreflectivity>0&&(e.retroreflectivity.value=t.retroreflectivity),t.iridescence>0&&(e.iridescence.value=t.iridescence,e.iridescenceIOR.value=t.iridescenceIOR,e.iridescenceThicknessMinimum.value=t.iridescenceThicknessMinimum,e.iridescenceThicknessMaximum.value=t.iridescenceThicknessMaximum,t.iridescenceMap&&(e.iridescenceMap.value=t.iridescenceMap,n(t.iridescenceMap,e.iridescenceMapTransform)),t.iridescenceThicknessMap&&(e.iridescenceThicknessMap.value=t.iridescenceThicknessMap,n(t.iridescenceThicknessMap,e.iridescenceThicknessMapTransform))),t.transmission>0&&(e.transmission.value=t.transmission,e.transmissionSamplerMap.value=r.texture,e.transmissionSamplerSize.value.set(r.width,r.height),t.transmissionMap&&(e.transmissionMap.value=t.transmissionMap,n(t.transmissionMap,e.transmissionMapTransform)),e.thickness.value=t.thickness,t.thicknessMap&&(e.thicknessMap.value=t.thicknessMap,n(t.thicknessMap,e.thicknessMapTransform)),e.attenuationDistance.value=t.attenuationDistance,e.attenuationColor.value.copy(t.attenuationColor)),t.anisotropy>0&&(e.anisotropyVector.value.set(t.anisotropy*Math.cos(t.anisotropyRotation),t.anisotropy*Math.sin(t.anisotropyRotation)),t.anisotropyMap&&(e.anisotropyMap.value=t.anisotropyMap,n(t.anisotropyMap,e.anisotropyMapTransform))),e.specularIntensity.value=t.specularIntensity,e.specularColor.value.copy(t.specularColor),t.specularColorMap&&(e.specularColorMap.value=t.specularColorMap,n(t.specularColorMap,e.specularColorMapTransform)),t.specularIntensityMap&&(e.specularIntensityMap.value=t.specularIntensityMap,n(t.specularIntensityMap,e.specularIntensityMapTransform))}function m(e,t){t.matcap&&(e.matcap.value=t.matcap)}function h(e,n){let r=t.get(n).light;e.referencePosition.value.setFromMatrixPosition(r.matrixWorld),e.nearDistance.value=r.shadow.camera.near,e.farDistance.value=r.shadow.camera.far}return{refreshFogUniforms:r,refreshMaterialUniforms:i}}function Qf(e,t,n,r){let i={},a={};function o(e,t){let n=t.program;r.uniformBlockBinding(e,n,i[e.id])}function s(e,n){let o=i[e.id];o===void 0&&(m(e),o=c(e),i[e.id]=o,e.addEventListener(`dispose`,g));let s=n.program;r.updateUBOMapping(e,s);let u=t.render.frame;a[e.id]!==u&&(l(e),a[e.id]=u)}function c(t){let n=e.createBuffer(),r=t.__size,i=t.usage;return e.bindBuffer(e.UNIFORM_BUFFER,n),e.bufferData(e.UNIFORM_BUFFER,r,i),e.bindBuffer(e.UNIFORM_BUFFER,null),n}function l(t){let n=i[t.id],r=t.uniforms,a=t.__cache;e.bindBuffer(e.UNIFORM_BUFFER,n);for(let e=0,t=r.length;e<t;e++){let t=r[e];if(Array.isArray(t))for(let n=0,r=t.length;n<r;n++)u(t[n],e,n,a);else u(t,e,0,a)}e.bindBuffer(e.UNIFORM_BUFFER,null)}function u(t,n,r,i){if(f(t,n,r,i)===!0){let n=t.__offset,r=t.value;if(Array.isArray(r)){let e=0;for(let n=0;n<r.length;n++){let i=r[n],a=h(i,!0);d(i,t.__data,e),e+=a.storage/Float32Array.BYTES_PER_ELEMENT}}else d(r,t.__data,0);e.bufferSubData(e.UNIFORM_BUFFER,n,t.__data)}}function d(e,t,n){typeof e==`number`||typeof e==`boolean`?t[n]=e:e.isMatrix3?(t[n]=e.elements[0],t[n+1]=e.elements[1],t[n+2]=e.elements[2],t[n+3]=0,t[n+4]=e.elements[3],t[n+5]=e.elements[4],t[n+6]=e.elements[5],t[n+7]=0,t[n+8]=e.elements[6],t[n+9]=e.elements[7],t[n+10]=e.elements[8],t[n+11]=0):ArrayBuffer.isView(e)?t.set(e.subarray(0,t.length-n),n):e.toArray(t,n)}function f(e,t,n,r){let i=e.value,a=t+`_`+n;if(Array.isArray(i)){r[a]===void 0&&(r[a]=[]);let e=r[a],t=!1;for(let n=0;n<i.length;n++)p(i[n],e,n)===!0&&(t=!0);return t}return p(i,r,a)}function p(e,t,n){if(t[n]===void 0)return t[n]=typeof e==`number`||typeof e==`boolean`?e:ArrayBuffer.isView(e)?e.slice():e.clone(),!0;{let r=t[n];if(typeof e==`number`||typeof e==`boolean`){if(r!==e)return t[n]=e,!0}else if(ArrayBuffer.isView(e))return!0;else if(r.equals(e)===!1)return r.copy(e),!0}return!1}function m(e){let t=e.uniforms,n=0;for(let e=0,r=t.length;e<r;e++){let r=Array.isArray(t[e])?t[e]:[t[e]];for(let i=0,a=r.length;i<a;i++){let a=r[i],o=Array.isArray(a.value)?a.value:[a.value],s=Array.isArray(t[e])||Array.isArray(a.value),c=n;for(let e=0,t=o.length;e<t;e++){let t=o[e],r=h(t,s),i=n%16,a=i%r.boundary,l=i+a;n+=a,l!==0&&16-l<r.storage&&(n+=16-l),e===0&&(c=n),n+=r.storage}a.__data=new(a.type===`int`?Int32Array:a.type===`uint`?Uint32Array:Float32Array)((n-c)/Float32Array.BYTES_PER_ELEMENT),a.__offset=c}}let r=n%16;return r>0&&(n+=16-r),e.__size=n,e.__cache={},this}function h(e,t){let n={boundary:0,storage:0};return typeof e==`number`||typeof e==`boolean`?(n.boundary=4,n.storage=4):e.isVector2?(n.boundary=8,n.storage=8):e.isVector3||e.isColor?(n.boundary=16,n.storage=12):e.isVector4?(n.boundary=16,n.storage=16):e.isMatrix3?(n.boundary=16,n.storage=48):e.isMatrix4?(n.boundary=16,n.storage=64):e.isTexture?H(`WebGLRenderer: Texture samplers can not be part of an uniforms group.`):ArrayBuffer.isView(e)?(n.boundary=16,n.storage=e.byteLength):H(`WebGLRenderer: Unsupported uniform value type.`,e),t===!0&&(n.boundary=16,n.storage=Math.ceil(n.storage/16)*16),n}function g(t){let n=t.target;n.removeEventListener(`dispose`,g),e.deleteBuffer(i[n.id]),delete i[n.id],delete a[n.id]}function _(){for(let t in i)e.deleteBuffer(i[t]);i={},a={}}return{bind:o,update:s,dispose:_}}var $f=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ep=null;function tp(){return ep===null&&(ep=new fc($f,16,16,_i,ii),ep.name=`DFG_LUT`,ep.minFilter=Jr,ep.magFilter=Jr,ep.wrapS=Ur,ep.wrapT=Ur,ep.generateMipmaps=!1,ep.needsUpdate=!0),ep}var np=class{constructor(e={}){let{canvas:t=xa(),context:n=null,depth:r=!0,stencil:i=!1,alpha:a=!1,antialias:o=!1,premultipliedAlpha:s=!0,preserveDrawingBuffer:c=!1,powerPreference:l=`default`,failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=Zr}=e;this.isWebGLRenderer=!0;let p;if(n!==null){if(typeof WebGLRenderingContext<`u`&&n instanceof WebGLRenderingContext)throw Error(`THREE.WebGLRenderer: WebGL 1 is not supported since r163.`);p=n.getContextAttributes().alpha}else p=a;let m=f,h=new Set([yi,vi,gi]),g=new Set([Zr,ni,ei,si,ai,oi]),_=new Uint32Array(4),v=new Int32Array(4),y={textures:[],min:[],max:[],resolution:[]},b=null,x=null,S=[],C=[],w=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=0,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let T=this,E=!1,D=null,O=null,k=null,A=null;this._outputColorSpace=ua;let j=0,ee=0,M=null,te=-1,ne=null,re=new ro,ie=new ro,ae=null,oe=new J(0),se=0,ce=t.width,le=t.height,N=1,ue=null,P=null,F=new ro(0,0,ce,le),de=new ro(0,0,ce,le),fe=!1,pe=new Tc,me=new Dc,he=!1,ge=!1,_e=new co,ve=new G,ye=new ro,I={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},be=!1;function xe(){return M===null?N:1}let L=n;function Se(e,n){return t.getContext(e,n)}let Ce,we,R,Te,z,B,Ee,De,Oe,ke,Ae,je,Me,Ne,Pe,Fe,Ie,Le,Re,ze,Be,Ve,He;try{let e={alpha:!0,depth:r,stencil:i,antialias:o,premultipliedAlpha:s,preserveDrawingBuffer:c,powerPreference:l,failIfMajorPerformanceCaveat:u};if(`setAttribute`in t&&t.setAttribute(`data-engine`,`three.js r187`),t.addEventListener(`webglcontextlost`,Ge,!1),t.addEventListener(`webglcontextrestored`,Ke,!1),t.addEventListener(`webglcontextcreationerror`,qe,!1),L===null){let t=`webgl2`;if(L=Se(t,e),L===null)throw Se(t)?Error(`THREE.WebGLRenderer: Error creating WebGL context with your selected attributes.`):Error(`THREE.WebGLRenderer: Error creating WebGL context.`)}Ue()}catch(e){throw t.removeEventListener(`webglcontextlost`,Ge,!1),t.removeEventListener(`webglcontextrestored`,Ke,!1),t.removeEventListener(`webglcontextcreationerror`,qe,!1),U(`WebGLRenderer: `+e.message),e}function Ue(){Ce=new xu(L),Ce.init(),Be=new Wf(L,Ce),we=new tu(L,Ce,e,Be),R=new Hf(L,Ce),we.reversedDepthBuffer&&d&&R.buffers.depth.setReversed(!0),O=L.createFramebuffer(),k=L.createFramebuffer(),A=L.createFramebuffer(),Te=new wu(L),z=new Sf,B=new Uf(L,Ce,R,z,we,Be,Te),Ee=new bu(T),De=new ql(L),Ve=new $l(L,De),Oe=new Su(L,De,Te,Ve),ke=new Eu(L,Oe,De,Ve,Te),Le=new Tu(L,we,B),Pe=new nu(z),Ae=new xf(T,Ee,Ce,we,Ve,Pe),je=new Zf(T,z),Me=new Ef,Ne=new Nf(Ce),Ie=new Ql(T,Ee,R,ke,p,s),Fe=new Vf(T,ke,we),He=new Qf(L,Te,we,R),Re=new eu(L,Ce,Te),ze=new Cu(L,Ce,Te),Te.programs=Ae.programs,T.capabilities=we,T.extensions=Ce,T.properties=z,T.renderLists=Me,T.shadowMap=Fe,T.state=R,T.info=Te}m!==1009&&(w=new Ou(m,t.width,t.height,o,r,i));let We=new Jf(T,L);this.xr=We,this.getContext=function(){return L},this.getContextAttributes=function(){return L.getContextAttributes()},this.forceContextLoss=function(){let e=Ce.get(`WEBGL_lose_context`);e&&e.loseContext()},this.forceContextRestore=function(){let e=Ce.get(`WEBGL_lose_context`);e&&e.restoreContext()},this.getPixelRatio=function(){return N},this.setPixelRatio=function(e){e!==void 0&&(N=e,this.setSize(ce,le,!1))},this.getSize=function(e){return e.set(ce,le)},this.setSize=function(e,n,r=!0){We.isPresenting?H(`WebGLRenderer: Can't change size while VR device is presenting.`):(ce=e,le=n,t.width=Math.floor(e*N),t.height=Math.floor(n*N),r===!0&&(t.style.width=e+`px`,t.style.height=n+`px`),w!==null&&w.setSize(t.width,t.height),this.setViewport(0,0,e,n))},this.getDrawingBufferSize=function(e){return e.set(ce*N,le*N).floor()},this.setDrawingBufferSize=function(e,n,r){ce=e,le=n,N=r,t.width=Math.floor(e*r),t.height=Math.floor(n*r),this.setViewport(0,0,e,n)},this.setEffects=function(e){if(m===1009)U(`WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.`);else{if(e){for(let t=0;t<e.length;t++)if(e[t].isOutputPass===!0){H(`WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.`);break}}w.setEffects(e||[])}},this.getCurrentViewport=function(e){return e.copy(re)},this.getViewport=function(e){return e.copy(F)},this.setViewport=function(e,t,n,r){e.isVector4?F.set(e.x,e.y,e.z,e.w):F.set(e,t,n,r),R.viewport(re.copy(F).multiplyScalar(xe()).round())},this.getScissor=function(e){return e.copy(de)},this.setScissor=function(e,t,n,r){e.isVector4?de.set(e.x,e.y,e.z,e.w):de.set(e,t,n,r),R.scissor(ie.copy(de).multiplyScalar(xe()).round())},this.getScissorTest=function(){return fe},this.setScissorTest=function(e){R.setScissorTest(fe=e)},this.setOpaqueSort=function(e){ue=e},this.setTransparentSort=function(e){P=e},this.getClearColor=function(e){return e.copy(Ie.getClearColor())},this.setClearColor=function(){Ie.setClearColor(...arguments)},this.getClearAlpha=function(){return Ie.getClearAlpha()},this.setClearAlpha=function(){Ie.setClearAlpha(...arguments)},this.clear=function(e=!0,t=!0,n=!0){let r=0;if(e){let e=!1;if(M!==null){let t=M.texture.format;e=h.has(t)}if(e){let e=M.texture.type,t=g.has(e),n=Ie.getClearColor(),r=Ie.getClearAlpha(),i=n.r,a=n.g,o=n.b;t?(_[0]=i,_[1]=a,_[2]=o,_[3]=r,L.clearBufferuiv(L.COLOR,0,_)):(v[0]=i,v[1]=a,v[2]=o,v[3]=r,L.clearBufferiv(L.COLOR,0,v))}else r|=L.COLOR_BUFFER_BIT}t&&(r|=L.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),n&&(r|=L.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),r!==0&&L.clear(r)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(e){e.setRenderer(this),D=e},this.dispose=function(){t.removeEventListener(`webglcontextlost`,Ge,!1),t.removeEventListener(`webglcontextrestored`,Ke,!1),t.removeEventListener(`webglcontextcreationerror`,qe,!1),Ie.dispose(),Me.dispose(),Ne.dispose(),B.dispose(),z.dispose(),Ee.dispose(),ke.dispose(),Oe.dispose(),Ve.dispose(),He.dispose(),Ae.dispose(),We.dispose(),We.removeEventListener(`sessionstart`,et),We.removeEventListener(`sessionend`,tt),nt.stop()};function Ge(e){e.preventDefault(),Ca(`WebGLRenderer: Context Lost.`),E=!0}function Ke(){Ca(`WebGLRenderer: Context Restored.`),E=!1;let e=Te.autoReset,t=Fe.enabled,n=Fe.autoUpdate,r=Fe.needsUpdate,i=Fe.type;Ue(),Te.autoReset=e,Fe.enabled=t,Fe.autoUpdate=n,Fe.needsUpdate=r,Fe.type=i}function qe(e){U(`WebGLRenderer: A WebGL context could not be created. Reason: `,e.statusMessage)}function Je(e){let t=e.target;t.removeEventListener(`dispose`,Je),Ye(t)}function Ye(e){Xe(e),z.remove(e)}function Xe(e){let t=z.get(e).programs;t!==void 0&&(t.forEach(function(e){Ae.releaseProgram(e)}),e.isShaderMaterial&&Ae.releaseShaderCache(e))}this.renderBufferDirect=function(e,t,n,r,i,a){t===null&&(t=I);let o=i.isMesh&&i.matrixWorld.determinantAffine()<0,s=pt(e,t,n,r,i);R.setMaterial(r,o);let c=n.index,l=1;if(r.wireframe===!0){if(c=Oe.getWireframeAttribute(n),c===void 0)return;l=2}let u=n.drawRange,d=n.attributes.position,f=u.start*l,p=(u.start+u.count)*l;a!==null&&(f=Math.max(f,a.start*l),p=Math.min(p,(a.start+a.count)*l)),c===null?d!=null&&(f=Math.max(f,0),p=Math.min(p,d.count)):(f=Math.max(f,0),p=Math.min(p,c.count));let m=p-f;if(m<0||m===1/0)return;Ve.setup(i,r,s,n,c);let h,g=Re;if(c!==null&&(h=De.get(c),g=ze,g.setIndex(h)),i.isMesh)r.wireframe===!0?(R.setLineWidth(r.wireframeLinewidth*xe()),g.setMode(L.LINES)):g.setMode(L.TRIANGLES);else if(i.isLine){let e=r.linewidth;e===void 0&&(e=1),R.setLineWidth(e*xe()),i.isLineSegments?g.setMode(L.LINES):i.isLineLoop?g.setMode(L.LINE_LOOP):g.setMode(L.LINE_STRIP)}else i.isPoints?g.setMode(L.POINTS):i.isSprite&&g.setMode(L.TRIANGLES);if(i.isBatchedMesh){if(Ce.get(`WEBGL_multi_draw`))g.renderMultiDraw(i._multiDrawStarts,i._multiDrawCounts,i._multiDrawCount);else{let e=i._multiDrawStarts,t=i._multiDrawCounts,n=i._multiDrawCount,a=c?De.get(c).bytesPerElement:1,o=z.get(r).currentProgram.getUniforms();for(let r=0;r<n;r++)o.setValue(L,`_gl_DrawID`,r),g.render(e[r]/a,t[r])}}else if(i.isInstancedMesh)g.renderInstances(f,m,i.count);else if(n.isInstancedBufferGeometry){let e=n._maxInstanceCount===void 0?1/0:n._maxInstanceCount,t=Math.min(n.instanceCount,e);g.renderInstances(f,m,t)}else g.render(f,m)};function Ze(e,t,n,r){D!==null&&e.isNodeMaterial&&D.setObject(r,e),he===!0&&Pe.setState(e,n,!1),e.transparent===!0&&e.side===2&&e.forceSinglePass===!1?(e.side=1,e.needsUpdate=!0,lt(e,t,r),e.side=0,e.needsUpdate=!0,lt(e,t,r),e.side=2):lt(e,t,r)}this.compile=function(e,t,n=null){n===null&&(n=e),D!==null&&D.renderStart(e,t,n),x=Ne.get(n),x.init(t),C.push(x),n.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),e!==n&&e.traverseVisible(function(e){e.isLight&&e.layers.test(t.layers)&&(x.pushLight(e),e.castShadow&&x.pushShadow(e))}),x.setupLights(),D!==null&&D.updateLights(x.state.lightsArray),ge=this.localClippingEnabled,he=Pe.init(this.clippingPlanes,ge),he===!0&&Pe.setGlobalState(this.clippingPlanes,t),D!==null&&Fe.render(x.state.shadowsArray,n,t);let r=new Set;return e.traverse(function(e){if(!(e.isMesh||e.isPoints||e.isLine||e.isSprite))return;let i=e.material;if(i){if(Array.isArray(i))for(let a=0;a<i.length;a++){let o=i[a];Ze(o,n,t,e),r.add(o)}else Ze(i,n,t,e),r.add(i)}}),x=C.pop(),D!==null&&D.renderEnd(),r},this.compileAsync=function(e,t,n=null){let r=this.compile(e,t,n);return new Promise(t=>{function n(){r.forEach(function(e){let t=z.get(e).currentProgram;(t===void 0||t.isReady())&&r.delete(e)}),r.size===0?t(e):setTimeout(n,10)}Ce.get(`KHR_parallel_shader_compile`)===null?setTimeout(n,10):n()})};let Qe=null;function $e(e){Qe&&Qe(e)}function et(){nt.stop()}function tt(){nt.start()}let nt=new Kl;nt.setAnimationLoop($e),typeof self<`u`&&nt.setContext(self),this.setAnimationLoop=function(e){Qe=e,We.setAnimationLoop(e),e===null?nt.stop():nt.start()},We.addEventListener(`sessionstart`,et),We.addEventListener(`sessionend`,tt),this.render=function(e,t){if(t!==void 0&&t.isCamera!==!0){U(`WebGLRenderer.render: camera is not an instance of THREE.Camera.`);return}if(E===!0)return;D!==null&&D.renderStart(e,t);let n=We.enabled===!0&&We.isPresenting===!0,r=w!==null&&(M===null||n)&&w.begin(T,M);if(e.matrixWorldAutoUpdate===!0&&e.updateMatrixWorld(),t.parent===null&&t.matrixWorldAutoUpdate===!0&&t.updateMatrixWorld(),We.enabled===!0&&We.isPresenting===!0&&(w===null||w.isCompositing()===!1)&&(We.cameraAutoUpdate===!0&&We.updateCamera(t),t=We.getCamera()),e.isScene===!0&&e.onBeforeRender(T,e,t,M),x=Ne.get(e,C.length),x.init(t),x.state.textureUnits=B.getTextureUnits(),C.push(x),_e.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),t.isArrayCamera?me.setFromArrayCamera(t):pe.setFromProjectionMatrix(_e,_a,t.reversedDepth),ge=this.localClippingEnabled,he=Pe.init(this.clippingPlanes,ge),b=Me.get(e,S.length),b.init(),S.push(b),this.info.render.frame++,We.enabled===!0&&We.isPresenting===!0){let e=T.xr.getDepthSensingMesh();e!==null&&rt(e,t,-1/0,T.sortObjects)}rt(e,t,0,T.sortObjects),b.finish(),D!==null&&D.updateLights(x.state.lightsArray),T.sortObjects===!0&&b.sort(ue,P),be=We.enabled===!1||We.isPresenting===!1||We.hasDepthSensing()===!1,be&&Ie.addToRenderList(b,e),this.info.autoReset===!0&&this.info.reset(),he===!0&&Pe.beginShadows();let i=x.state.shadowsArray;if(Fe.render(i,e,t),he===!0&&Pe.endShadows(),(r&&w.hasRenderPass())===!1){let n=b.opaque,r=b.transmissive;if(x.setupLights(),t.isArrayCamera){let i=t.cameras;if(r.length>0)for(let t=0,a=i.length;t<a;t++){let a=i[t];at(n,r,e,a)}be&&Ie.render(e);for(let t=0,n=i.length;t<n;t++){let n=i[t];it(b,e,n,n.viewport)}}else r.length>0&&at(n,r,e,t),be&&Ie.render(e),it(b,e,t)}M!==null&&ee===0&&(B.updateMultisampleRenderTarget(M),B.updateRenderTargetMipmap(M)),r&&w.end(T),e.isScene===!0&&e.onAfterRender(T,e,t),Ve.resetDefaultState(),te=-1,ne=null,C.pop(),C.length>0?(x=C[C.length-1],B.setTextureUnits(x.state.textureUnits),he===!0&&Pe.setGlobalState(T.clippingPlanes,x.state.camera)):x=null,S.pop(),b=S.length>0?S[S.length-1]:null,D!==null&&D.renderEnd()};function rt(e,t,n,r){if(e.visible===!1)return;if(e.layers.test(t.layers)){if(e.isGroup)n=e.renderOrder;else if(e.isLOD)e.autoUpdate===!0&&e.update(t);else if(e.isLight)x.pushLight(e),e.castShadow&&x.pushShadow(e);else if(e.isSprite){let i=t.isArrayCamera?me:pe;if(!e.frustumCulled||e.intersectsFrustum(i)){r&&ye.setFromMatrixPosition(e.matrixWorld).applyMatrix4(_e);let i=ke.update(e),a=e.material;a.visible&&b.push(e,i,a,n,ye.z,null,t)}}else if(e.isMesh||e.isLine||e.isPoints){let i=t.isArrayCamera?me:pe;if(!e.frustumCulled||e.intersectsFrustum(i)){let i=ke.update(e),a=e.material;if(r&&(e.boundingSphere===void 0?(i.boundingSphere===null&&i.computeBoundingSphere(),ye.copy(i.boundingSphere.center)):(e.boundingSphere===null&&e.computeBoundingSphere(),ye.copy(e.boundingSphere.center)),ye.applyMatrix4(e.matrixWorld).applyMatrix4(_e)),Array.isArray(a)){let r=i.groups;for(let o=0,s=r.length;o<s;o++){let s=r[o],c=a[s.materialIndex];c&&c.visible&&b.push(e,i,c,n,ye.z,s,t)}}else a.visible&&b.push(e,i,a,n,ye.z,null,t)}}}let i=e.children;for(let e=0,a=i.length;e<a;e++)rt(i[e],t,n,r)}function it(e,t,n,r){let{opaque:i,transmissive:a,transparent:o}=e;x.setupLightsView(n),he===!0&&Pe.setGlobalState(T.clippingPlanes,n),r&&R.viewport(re.copy(r)),i.length>0&&ot(i,t,n),a.length>0&&ot(a,t,n),o.length>0&&ot(o,t,n),R.buffers.depth.setTest(!0),R.buffers.depth.setMask(!0),R.buffers.color.setMask(!0),R.setPolygonOffset(!1)}function at(e,t,n,r){if((n.isScene===!0?n.overrideMaterial:null)!==null)return;if(x.state.transmissionRenderTarget[r.id]===void 0){let e=Ce.has(`EXT_color_buffer_half_float`)||Ce.has(`EXT_color_buffer_float`);x.state.transmissionRenderTarget[r.id]=new ao(1,1,{generateMipmaps:!0,type:e?ii:Zr,minFilter:Xr,samples:Math.max(4,we.samples),stencilBuffer:i,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:q.workingColorSpace})}let a=x.state.transmissionRenderTarget[r.id],o=r.viewport||re;a.setSize(o.z*T.transmissionResolutionScale,o.w*T.transmissionResolutionScale);let s=T.getRenderTarget(),c=T.getActiveCubeFace(),l=T.getActiveMipmapLevel();T.setRenderTarget(a),T.getClearColor(oe),se=T.getClearAlpha(),se<1&&T.setClearColor(16777215,.5),T.clear(),be&&Ie.render(n);let u=T.toneMapping;T.toneMapping=0;let d=r.viewport;if(r.viewport!==void 0&&(r.viewport=void 0),x.setupLightsView(r),he===!0&&Pe.setGlobalState(T.clippingPlanes,r),ot(e,n,r),B.updateMultisampleRenderTarget(a),B.updateRenderTargetMipmap(a),Ce.has(`WEBGL_multisampled_render_to_texture`)===!1){let e=!1;for(let i=0,a=t.length;i<a;i++){let{object:a,geometry:o,material:s,group:c}=t[i];if(s.side===2&&a.layers.test(r.layers)){let t=s.side;s.side=1,s.needsUpdate=!0,st(a,n,r,o,s,c),s.side=t,s.needsUpdate=!0,e=!0}}e===!0&&(B.updateMultisampleRenderTarget(a),B.updateRenderTargetMipmap(a))}T.setRenderTarget(s,c,l),T.setClearColor(oe,se),d!==void 0&&(r.viewport=d),T.toneMapping=u}function ot(e,t,n){let r=t.isScene===!0?t.overrideMaterial:null;for(let i=0,a=e.length;i<a;i++){let a=e[i],{object:o,geometry:s,group:c}=a,l=a.material;l.allowOverride===!0&&r!==null&&(l=r),o.layers.test(n.layers)&&st(o,t,n,s,l,c)}}function st(e,t,n,r,i,a){D!==null&&i.isNodeMaterial&&D.setObject(e,i),e.onBeforeRender(T,t,n,r,i,a),e.modelViewMatrix.multiplyMatrices(n.matrixWorldInverse,e.matrixWorld),e.normalMatrix.getNormalMatrix(e.modelViewMatrix),i.onBeforeRender(T,t,n,r,e,a),i.transparent===!0&&i.side===2&&i.forceSinglePass===!1?(i.side=1,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=0,i.needsUpdate=!0,T.renderBufferDirect(n,t,r,i,e,a),i.side=2):T.renderBufferDirect(n,t,r,i,e,a),e.onAfterRender(T,t,n,r,i,a)}function ct(e){let t=0;for(let n of e)n.texture!==null&&t++;return t}function lt(e,t,n){t.isScene!==!0&&(t=I);let r=z.get(e),i=x.state.lights,a=x.state.shadowsArray,o=i.state.version,s=Ae.getParameters(e,i.state,a,t,n,x.state.lightProbeGridArray),c=Ae.getProgramCacheKey(s),l=r.programs;r.environment=e.isMeshStandardMaterial||e.isMeshLambertMaterial||e.isMeshPhongMaterial?t.environment:null,r.fog=t.fog;let u=e.isMeshStandardMaterial||e.isMeshLambertMaterial&&!e.envMap||e.isMeshPhongMaterial&&!e.envMap;r.envMap=Ee.get(e.envMap||r.environment,u),r.envMapRotation=r.environment!==null&&e.envMap===null?t.environmentRotation:e.envMapRotation,l===void 0&&(e.addEventListener(`dispose`,Je),l=new Map,r.programs=l,r.programVariants=new Map);let d=l.get(c);if(d!==void 0){if(r.currentProgram===d&&r.lightsStateVersion===o)return ft(e,s),d}else s.uniforms=Ae.getUniforms(e),D!==null&&e.isNodeMaterial&&D.build(e,n,s),e.onBeforeCompile(s,T),d=Ae.acquireProgram(s,c),l.set(c,d),r.uniforms=s.uniforms;let f=r.uniforms;return(!e.isShaderMaterial&&!e.isRawShaderMaterial||e.clipping===!0)&&(f.clippingPlanes=Pe.uniform),ft(e,s),r.needsLights=ht(e),r.lightsStateVersion=o,r.needsLights&&(f.ambientLightColor.value=i.state.ambient,f.lightProbe.value=i.state.probe,f.sunLights.value=i.state.sun,f.sunLightShadows.value=i.state.sunShadow,f.directionalLights.value=i.state.directional,f.directionalLightShadows.value=i.state.directionalShadow,f.spotLights.value=i.state.spot,f.spotLightShadows.value=i.state.spotShadow,f.rectAreaLights.value=i.state.rectArea,f.ltc_1.value=i.state.rectAreaLTC1,f.ltc_2.value=i.state.rectAreaLTC2,f.pointLights.value=i.state.point,f.pointLightShadows.value=i.state.pointShadow,f.hemisphereLights.value=i.state.hemi,f.sunShadowMatrix.value=i.state.sunShadowMatrix,f.sunShadowCascade.value=i.state.sunShadowCascade,f.directionalShadowMatrix.value=i.state.directionalShadowMatrix,f.spotLightMatrix.value=i.state.spotLightMatrix,f.spotLightMap.value=i.state.spotLightMap,f.pointShadowMatrix.value=i.state.pointShadowMatrix),r.numLightProbeGrids=ct(x.state.lightProbeGridArray),r.currentProgram=d,r.uniformsList=null,d}function ut(e,t,n,r,i){let a=z.get(e),o=a.currentProgram.id+`,`+r+`,`+i,s=a.programVariants.get(o);return s===void 0?(s=lt(e,t,n),a.programVariants.set(o,s)):(a.currentProgram=s,a.uniformsList=null,a.outputColorSpace=r,a.toneMapping=i),s}function dt(e){if(e.uniformsList===null){let t=e.currentProgram.getUniforms();e.uniformsList=Ld.seqWithValue(t.seq,e.uniforms)}return e.uniformsList}function ft(e,t){let n=z.get(e);n.outputColorSpace=t.outputColorSpace,n.batching=t.batching,n.batchingColor=t.batchingColor,n.instancing=t.instancing,n.instancingColor=t.instancingColor,n.instancingMorph=t.instancingMorph,n.skinning=t.skinning,n.morphTargets=t.morphTargets,n.morphNormals=t.morphNormals,n.morphColors=t.morphColors,n.morphTargetsCount=t.morphTargetsCount,n.numClippingPlanes=t.numClippingPlanes,n.numIntersection=t.numClipIntersection,n.vertexAlphas=t.vertexAlphas,n.vertexTangents=t.vertexTangents,n.toneMapping=t.toneMapping}function pt(e,t,n,r,i){t.isScene!==!0&&(t=I),B.resetTextureUnits();let a=t.fog,o=r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial?t.environment:null,s=M===null?T.outputColorSpace:M.isXRRenderTarget===!0?M.texture.colorSpace:q.workingColorSpace,c=r.isMeshStandardMaterial||r.isMeshLambertMaterial&&!r.envMap||r.isMeshPhongMaterial&&!r.envMap,l=Ee.get(r.envMap||o,c),u=r.vertexColors===!0&&!!n.attributes.color&&n.attributes.color.itemSize===4,d=!!n.attributes.tangent&&(!!r.normalMap||r.anisotropy>0),f=!!n.morphAttributes.position,p=!!n.morphAttributes.normal,m=!!n.morphAttributes.color,h=0;r.toneMapped&&(M===null||M.isXRRenderTarget===!0)&&(h=T.toneMapping);let g=n.morphAttributes.position||n.morphAttributes.normal||n.morphAttributes.color,_=g===void 0?0:g.length,v=z.get(r),b=x.state.lights;if(he===!0&&(ge===!0||e!==ne)){let t=e===ne&&r.id===te;Pe.setState(r,e,t)}let S=!1,C=!1;r.version===v.__version?v.needsLights&&v.lightsStateVersion!==b.state.version||i.isBatchedMesh&&v.batching===!1||!i.isBatchedMesh&&v.batching===!0||i.isBatchedMesh&&v.batchingColor===!0&&i._colorsTexture===null||i.isBatchedMesh&&v.batchingColor===!1&&i._colorsTexture!==null||i.isInstancedMesh&&v.instancing===!1||!i.isInstancedMesh&&v.instancing===!0||i.isSkinnedMesh&&v.skinning===!1||!i.isSkinnedMesh&&v.skinning===!0||i.isInstancedMesh&&v.instancingColor===!0&&i.instanceColor===null||i.isInstancedMesh&&v.instancingColor===!1&&i.instanceColor!==null||i.isInstancedMesh&&v.instancingMorph===!0&&i.morphTexture===null||i.isInstancedMesh&&v.instancingMorph===!1&&i.morphTexture!==null?S=!0:v.envMap===l?r.fog===!0&&v.fog!==a||v.numClippingPlanes!==void 0&&(v.numClippingPlanes!==Pe.numPlanes||v.numIntersection!==Pe.numIntersection)?S=!0:v.vertexAlphas===u&&v.vertexTangents===d&&v.morphTargets===f&&v.morphNormals===p&&v.morphColors===m&&v.morphTargetsCount===_&&v.numLightProbeGrids===ct(x.state.lightProbeGridArray)?(v.outputColorSpace!==s||v.toneMapping!==h)&&(C=!0):S=!0:S=!0:(S=!0,v.__version=r.version);let w=v.currentProgram;(S===!0||C===!0)&&(w=C===!0?ut(r,t,i,s,h):lt(r,t,i),D&&r.isNodeMaterial&&D.onUpdateProgram(r,w,v));let E=!1,O=!1,k=!1,A=w.getUniforms(),j=v.uniforms;if(R.useProgram(w.program)&&(E=!0,O=!0,k=!0),r.id!==te&&(te=r.id,O=!0),E||ne!==e){R.buffers.depth.getReversed()&&e.reversedDepth!==!0&&(e._reversedDepth=!0,e.updateProjectionMatrix()),A.setValue(L,`projectionMatrix`,e.projectionMatrix),A.setValue(L,`viewMatrix`,e.matrixWorldInverse);let t=A.map.cameraPosition;t!==void 0&&t.setValue(L,ve.setFromMatrixPosition(e.matrixWorld)),we.logarithmicDepthBuffer&&A.setValue(L,`logDepthBufFC`,2/(Math.log(e.far+1)/Math.LN2)),(r.isMeshPhongMaterial||r.isMeshToonMaterial||r.isMeshLambertMaterial||r.isMeshBasicMaterial||r.isMeshStandardMaterial||r.isShaderMaterial)&&A.setValue(L,`isOrthographic`,e.isOrthographicCamera===!0),ne!==e&&(ne=e,O=!0,k=!0)}if(v.needsLights&&(b.state.sunShadowMap.length>0&&A.setValue(L,`sunShadowMap`,b.state.sunShadowMap,B),b.state.directionalShadowMap.length>0&&A.setValue(L,`directionalShadowMap`,b.state.directionalShadowMap,B),b.state.spotShadowMap.length>0&&A.setValue(L,`spotShadowMap`,b.state.spotShadowMap,B),b.state.pointShadowMap.length>0&&A.setValue(L,`pointShadowMap`,b.state.pointShadowMap,B)),i.isSkinnedMesh){A.setOptional(L,i,`bindMatrix`),A.setOptional(L,i,`bindMatrixInverse`);let e=i.skeleton;e&&(e.boneTexture===null&&e.computeBoneTexture(),A.setValue(L,`boneTexture`,e.boneTexture,B))}i.isBatchedMesh&&(A.setOptional(L,i,`batchingTexture`),A.setValue(L,`batchingTexture`,i._matricesTexture,B),A.setOptional(L,i,`batchingIdTexture`),A.setValue(L,`batchingIdTexture`,i._indirectTexture,B),A.setOptional(L,i,`batchingColorTexture`),i._colorsTexture!==null&&A.setValue(L,`batchingColorTexture`,i._colorsTexture,B));let ee=n.morphAttributes;if((ee.position!==void 0||ee.normal!==void 0||ee.color!==void 0)&&Le.update(i,n,w),(O||v.receiveShadow!==i.receiveShadow)&&(v.receiveShadow=i.receiveShadow,A.setValue(L,`receiveShadow`,i.receiveShadow)),(r.isMeshStandardMaterial||r.isMeshLambertMaterial||r.isMeshPhongMaterial)&&r.envMap===null&&t.environment!==null&&(j.envMapIntensity.value=t.environmentIntensity),j.dfgLUT!==void 0&&(j.dfgLUT.value=tp()),O){if(A.setValue(L,`toneMappingExposure`,T.toneMappingExposure),v.needsLights&&mt(j,k),a&&r.fog===!0&&je.refreshFogUniforms(j,a),je.refreshMaterialUniforms(j,r,N,le,x.state.transmissionRenderTarget[e.id]),v.needsLights&&v.numLightProbeGrids>0){let e=y,t=0;for(let n of x.state.lightProbeGridArray)n.texture!==null&&(e.textures[t]=n.texture,e.min[t]=n.boundingBox.min,e.max[t]=n.boundingBox.max,e.resolution[t]=n.resolution,t++);for(let n in e)e[n].length=t;j.probesSH.value=e.textures,j.probesMin.value=e.min,j.probesMax.value=e.max,j.probesResolution.value=e.resolution}Ld.upload(L,dt(v),j,B)}if(r.isShaderMaterial&&r.uniformsNeedUpdate===!0&&(Ld.upload(L,dt(v),j,B),r.uniformsNeedUpdate=!1),r.isSpriteMaterial&&A.setValue(L,`center`,i.center),A.setValue(L,`modelViewMatrix`,i.modelViewMatrix),A.setValue(L,`normalMatrix`,i.normalMatrix),A.setValue(L,`modelMatrix`,i.matrixWorld),r.uniformsGroups!==void 0){let e=r.uniformsGroups;for(let t=0,n=e.length;t<n;t++){let n=e[t];He.update(n,w),He.bind(n,w)}}return w}function mt(e,t){e.ambientLightColor.needsUpdate=t,e.lightProbe.needsUpdate=t,e.sunLights.needsUpdate=t,e.sunLightShadows.needsUpdate=t,e.directionalLights.needsUpdate=t,e.directionalLightShadows.needsUpdate=t,e.pointLights.needsUpdate=t,e.pointLightShadows.needsUpdate=t,e.spotLights.needsUpdate=t,e.spotLightShadows.needsUpdate=t,e.rectAreaLights.needsUpdate=t,e.hemisphereLights.needsUpdate=t}function ht(e){return e.isMeshLambertMaterial||e.isMeshToonMaterial||e.isMeshPhongMaterial||e.isMeshStandardMaterial||e.isShadowMaterial||e.isShaderMaterial&&e.lights===!0}this.getActiveCubeFace=function(){return j},this.getActiveMipmapLevel=function(){return ee},this.getRenderTarget=function(){return M},this.setRenderTargetTextures=function(e,t,n){let r=z.get(e);r.__autoAllocateDepthBuffer=e.resolveDepthBuffer===!1,r.__autoAllocateDepthBuffer===!1&&(r.__useRenderToTexture=!1),z.get(e.texture).__webglTexture=t,z.get(e.depthTexture).__webglTexture=r.__autoAllocateDepthBuffer?void 0:n,r.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(e,t){let n=z.get(e);n.__webglFramebuffer=t,n.__useDefaultFramebuffer=t===void 0},this.setRenderTarget=function(e,t=0,n=0){M=e,j=t,ee=n;let r=null,i=!1,a=!1;if(e){let o=z.get(e);if(o.__useDefaultFramebuffer!==void 0){R.bindFramebuffer(L.FRAMEBUFFER,o.__webglFramebuffer),re.copy(e.viewport),ie.copy(e.scissor),ae=e.scissorTest,R.viewport(re),R.scissor(ie),R.setScissorTest(ae),te=-1;return}if(o.__webglFramebuffer===void 0)B.setupRenderTarget(e);else if(o.__hasExternalTextures)B.rebindTextures(e,z.get(e.texture).__webglTexture,z.get(e.depthTexture).__webglTexture);else if(e.depthBuffer){let t=e.depthTexture;if(o.__boundDepthTexture!==t){if(t!==null&&z.has(t)&&(e.width!==t.image.width||e.height!==t.image.height))throw Error(`THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.`);B.setupDepthRenderbuffer(e)}}let s=e.texture;(s.isData3DTexture||s.isDataArrayTexture||s.isCompressedArrayTexture)&&(a=!0);let c=z.get(e).__webglFramebuffer;e.isWebGLCubeRenderTarget?(r=Array.isArray(c[t])?c[t][n]:c[t],i=!0):r=e.samples>0&&B.useMultisampledRTT(e)===!1?z.get(e).__webglMultisampledFramebuffer:Array.isArray(c)?c[n]:c,re.copy(e.viewport),ie.copy(e.scissor),ae=e.scissorTest}else re.copy(F).multiplyScalar(N).floor(),ie.copy(de).multiplyScalar(N).floor(),ae=fe;if(n!==0&&(r=O),R.bindFramebuffer(L.FRAMEBUFFER,r)&&R.drawBuffers(e,r),R.viewport(re),R.scissor(ie),R.setScissorTest(ae),i){let r=z.get(e.texture);L.framebufferTexture2D(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_CUBE_MAP_POSITIVE_X+t,r.__webglTexture,n)}else if(a){let r=t;for(let t=0;t<e.textures.length;t++){let i=z.get(e.textures[t]);L.framebufferTextureLayer(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0+t,i.__webglTexture,n,r)}}else if(e!==null&&n!==0){let t=z.get(e.texture);L.framebufferTexture2D(L.FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,t.__webglTexture,n)}te=-1};function gt(e){let t=z.get(e);return(t.__readFormat!==e.format||t.__readType!==e.type)&&(t.__readFormat=e.format,t.__readType=e.type,t.__formatReadable=we.textureFormatReadable(e.format),t.__typeReadable=we.textureTypeReadable(e.type)),t}this.readRenderTargetPixels=function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget)){U(`WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);return}let c=z.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){R.bindFramebuffer(L.FRAMEBUFFER,c);try{let o=e.textures[s],c=o.format,l=o.type;e.textures.length>1&&L.readBuffer(L.COLOR_ATTACHMENT0+s);let u=gt(o);if(u.__formatReadable===!1){U(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.`);return}if(u.__typeReadable===!1){U(`WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.`);return}t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i&&L.readPixels(t,n,r,i,Be.convert(c),Be.convert(l),a)}finally{let e=M===null?null:z.get(M).__webglFramebuffer;R.bindFramebuffer(L.FRAMEBUFFER,e)}}},this.readRenderTargetPixelsAsync=async function(e,t,n,r,i,a,o,s=0){if(!(e&&e.isWebGLRenderTarget))throw Error(`THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.`);let c=z.get(e).__webglFramebuffer;if(e.isWebGLCubeRenderTarget&&o!==void 0&&(c=c[o],Array.isArray(c)&&(c=c[0])),c){if(t>=0&&t<=e.width-r&&n>=0&&n<=e.height-i){R.bindFramebuffer(L.FRAMEBUFFER,c);let o=e.textures[s],l=o.format,u=o.type;e.textures.length>1&&L.readBuffer(L.COLOR_ATTACHMENT0+s);let d=gt(o);if(d.__formatReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.`);if(d.__typeReadable===!1)throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.`);let f=L.createBuffer();L.bindBuffer(L.PIXEL_PACK_BUFFER,f),L.bufferData(L.PIXEL_PACK_BUFFER,a.byteLength,L.STREAM_READ),L.readPixels(t,n,r,i,Be.convert(l),Be.convert(u),0),L.bindBuffer(L.PIXEL_PACK_BUFFER,null);let p=M===null?null:z.get(M).__webglFramebuffer;R.bindFramebuffer(L.FRAMEBUFFER,p);let m=L.fenceSync(L.SYNC_GPU_COMMANDS_COMPLETE,0);return L.flush(),await Ea(L,m,4),L.bindBuffer(L.PIXEL_PACK_BUFFER,f),L.getBufferSubData(L.PIXEL_PACK_BUFFER,0,a),L.bindBuffer(L.PIXEL_PACK_BUFFER,null),L.deleteBuffer(f),L.deleteSync(m),a}throw Error(`THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.`)}},this.copyFramebufferToTexture=function(e,t=null,n=0){let r=2**-n,i=Math.floor(e.image.width*r),a=Math.floor(e.image.height*r),o=t===null?0:t.x,s=t===null?0:t.y;B.setTexture2D(e,0),L.copyTexSubImage2D(L.TEXTURE_2D,n,0,0,o,s,i,a),R.unbindTexture()},this.copyTextureToTexture=function(e,t,n=null,r=null,i=0,a=0){let o,s,c,l,u,d,f,p,m,h=e.isCompressedTexture?e.mipmaps[a]:e.image;if(n!==null)o=n.max.x-n.min.x,s=n.max.y-n.min.y,c=n.isBox3?n.max.z-n.min.z:1,l=n.min.x,u=n.min.y,d=n.isBox3?n.min.z:0;else{let t=2**-i;o=Math.floor(h.width*t),s=Math.floor(h.height*t),c=e.isDataArrayTexture?h.depth:e.isData3DTexture?Math.floor(h.depth*t):1,l=0,u=0,d=0}r===null?(f=0,p=0,m=0):(f=r.x,p=r.y,m=r.z);let g=Be.convert(t.format),_=Be.convert(t.type),v;t.isData3DTexture?(B.setTexture3D(t,0),v=L.TEXTURE_3D):t.isDataArrayTexture||t.isCompressedArrayTexture?(B.setTexture2DArray(t,0),v=L.TEXTURE_2D_ARRAY):(B.setTexture2D(t,0),v=L.TEXTURE_2D),R.activeTexture(L.TEXTURE0),R.pixelStorei(L.UNPACK_FLIP_Y_WEBGL,t.flipY),R.pixelStorei(L.UNPACK_PREMULTIPLY_ALPHA_WEBGL,t.premultiplyAlpha),R.pixelStorei(L.UNPACK_ALIGNMENT,t.unpackAlignment);let y=R.getParameter(L.UNPACK_ROW_LENGTH),b=R.getParameter(L.UNPACK_IMAGE_HEIGHT),x=R.getParameter(L.UNPACK_SKIP_PIXELS),S=R.getParameter(L.UNPACK_SKIP_ROWS),C=R.getParameter(L.UNPACK_SKIP_IMAGES);R.pixelStorei(L.UNPACK_ROW_LENGTH,h.width),R.pixelStorei(L.UNPACK_IMAGE_HEIGHT,h.height),R.pixelStorei(L.UNPACK_SKIP_PIXELS,l),R.pixelStorei(L.UNPACK_SKIP_ROWS,u),R.pixelStorei(L.UNPACK_SKIP_IMAGES,d);let w=e.isDataArrayTexture||e.isData3DTexture,T=t.isDataArrayTexture||t.isData3DTexture;if(e.isDepthTexture){let n=z.get(e),r=z.get(t),h=z.get(n.__renderTarget),g=z.get(r.__renderTarget);R.bindFramebuffer(L.READ_FRAMEBUFFER,h.__webglFramebuffer),R.bindFramebuffer(L.DRAW_FRAMEBUFFER,g.__webglFramebuffer);for(let n=0;n<c;n++)w&&(L.framebufferTextureLayer(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,z.get(e).__webglTexture,i,d+n),L.framebufferTextureLayer(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,z.get(t).__webglTexture,a,m+n)),L.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,L.DEPTH_BUFFER_BIT,L.NEAREST);R.bindFramebuffer(L.READ_FRAMEBUFFER,null),R.bindFramebuffer(L.DRAW_FRAMEBUFFER,null)}else if(i!==0||e.isRenderTargetTexture||z.has(e)){let n=z.get(e),r=z.get(t);R.bindFramebuffer(L.READ_FRAMEBUFFER,k),R.bindFramebuffer(L.DRAW_FRAMEBUFFER,A);for(let e=0;e<c;e++)w?L.framebufferTextureLayer(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,n.__webglTexture,i,d+e):L.framebufferTexture2D(L.READ_FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,n.__webglTexture,i),T?L.framebufferTextureLayer(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,r.__webglTexture,a,m+e):L.framebufferTexture2D(L.DRAW_FRAMEBUFFER,L.COLOR_ATTACHMENT0,L.TEXTURE_2D,r.__webglTexture,a),i===0?T?L.copyTexSubImage3D(v,a,f,p,m+e,l,u,o,s):L.copyTexSubImage2D(v,a,f,p,l,u,o,s):L.blitFramebuffer(l,u,l+o,u+s,f,p,f+o,p+s,L.COLOR_BUFFER_BIT,L.NEAREST);R.bindFramebuffer(L.READ_FRAMEBUFFER,null),R.bindFramebuffer(L.DRAW_FRAMEBUFFER,null)}else T?e.isDataTexture||e.isData3DTexture?L.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h.data):t.isCompressedArrayTexture?L.compressedTexSubImage3D(v,a,f,p,m,o,s,c,g,h.data):L.texSubImage3D(v,a,f,p,m,o,s,c,g,_,h):e.isDataTexture?L.texSubImage2D(L.TEXTURE_2D,a,f,p,o,s,g,_,h.data):e.isCompressedTexture?L.compressedTexSubImage2D(L.TEXTURE_2D,a,f,p,h.width,h.height,g,h.data):L.texSubImage2D(L.TEXTURE_2D,a,f,p,o,s,g,_,h);R.pixelStorei(L.UNPACK_ROW_LENGTH,y),R.pixelStorei(L.UNPACK_IMAGE_HEIGHT,b),R.pixelStorei(L.UNPACK_SKIP_PIXELS,x),R.pixelStorei(L.UNPACK_SKIP_ROWS,S),R.pixelStorei(L.UNPACK_SKIP_IMAGES,C),a===0&&t.generateMipmaps===!0&&t.mipmapsAutoUpdate===!0&&L.generateMipmap(v),R.unbindTexture()},this.initRenderTarget=function(e){z.get(e).__webglFramebuffer===void 0&&B.setupRenderTarget(e)},this.initTexture=function(e){e.isCubeTexture?B.setTextureCube(e,0):e.isData3DTexture?B.setTexture3D(e,0):e.isDataArrayTexture||e.isCompressedArrayTexture?B.setTexture2DArray(e,0):B.setTexture2D(e,0),R.unbindTexture()},this.resetState=function(){j=0,ee=0,M=null,R.reset(),Ve.reset()},typeof __THREE_DEVTOOLS__<`u`&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent(`observe`,{detail:this}))}get coordinateSystem(){return _a}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=q._getDrawingBufferColorSpace(e),t.unpackColorSpace=q._getUnpackColorSpace()}},rp=/^[a-z][a-z0-9_]{0,40}@(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6})\/\d{1,3}$/,ip=e=>rp.test(e),ap=({blueprint_id:e})=>/road|wall|lamp/.test(e),op=(e,t)=>`${M(j(e.blueprint_id))}, by ${t(e.builder)}`,sp=({low:e,high:t})=>({x:(e[0]+t[0]+1)/2,z:(e[2]+t[2]+1)/2}),cp=(e,t,n)=>e<=n&&n<=t;function lp(e,t,n,r){let i=({low:e,high:t})=>(t[0]-e[0]+1)*(t[1]-e[1]+1)*(t[2]-e[2]+1);return e.filter(({low:e,high:i})=>cp(e[0],i[0],t)&&cp(e[2],i[2],r)&&(n===null||cp(e[1],i[1],n))).sort((e,t)=>i(e)-i(t))[0]}function up(e,t,n){let r=(r,i)=>t.some(t=>t!==e&&t.residents.some(e=>e.id===r&&e.since_tick>i&&e.since_tick<=n));return[...new Map(e.residents.filter(e=>e.since_tick<=n).map(e=>[e.id,e])).values()].filter(({id:e,since_tick:t})=>!r(e,t))}function dp(e){try{let t=localStorage.getItem(e)===null;return localStorage.setItem(e,`1`),t}catch{return!1}}var fp=[`land`,`buildings`,`people`,`paths`,`activity`,`events`,`works`,`things`,`heights`],pp=[`CHEST`,`BULLETIN_BOARD`,`SIGN`,`CONTRACT_TERMINAL`,`FURNACE`];function mp(e){let t=new URLSearchParams(e).get(`layers`)?.split(`,`);return new Set(fp.filter(e=>t?t.includes(e):e!==`things`&&e!==`heights`))}var hp=.6,gp=.13,_p=60;function vp(e){let t=0;for(let n=0;n<e.length;n++)t=Math.imul(t,31)+e.charCodeAt(n)>>>0;return _p+t*.618034%1*290}function yp(e,t=hp){let n=vp(e)*Math.PI/180,r=gp*Math.cos(n),i=gp*Math.sin(n),a=(t+.3963377774*r+.2158037573*i)**3,o=(t-.1055613458*r-.0638541728*i)**3,s=(t-.0894841775*r-1.291485548*i)**3;return[4.0767416621*a-3.3077115913*o+.2309699292*s,-1.2684380046*a+2.6097574011*o-.3413193965*s,-.0041960863*a-.7034186147*o+1.707614701*s].map(e=>Math.round(255*bp(Math.min(1,Math.max(0,e)))))}var bp=e=>e<=.0031308?12.92*e:1.055*e**(1/2.4)-.055,xp=([e,t,n],r=1)=>`rgb(${e} ${t} ${n} / ${r})`,Sp=null,Cp=new Map;function wp(){return Sp||(Sp=matchMedia(`(prefers-color-scheme: dark)`),Sp.addEventListener(`change`,()=>{Cp=new Map})),Sp.matches}function Tp(e){wp();let t=Cp.get(e);if(t===void 0){let n=document.body.appendChild(document.createElement(`i`));n.style.color=`var(${e})`,t=getComputedStyle(n).color,n.remove(),Cp.set(e,t)}return t}var Ep=16,Dp=776,Op=2e4,kp=4,Ap=8e3,jp=.055,Mp=.2,Np=.04,[Pp,Fp]=[17,32],Ip=3,Lp=e=>Math.floor(e/256);function Rp(e,t){let n=Math.imul(e,374761393)^Math.imul(t,1440670441);return n=Math.imul(n^n>>>13,1274126177),((n^n>>>16)&65535)/65535}function zp(e,t,n,r){return 1+Math.max(-.2,Math.min(Mp,(e-t)*jp))+(Rp(n,r)-.5)*Np}function Bp(e,t,n){if(Math.floor(e/Ip)!==Math.floor(t/Ip)||Math.floor(e/Ip)!==Math.floor(n/Ip))return[60,40,20,210];let r=Math.max(0,Math.min(1,(e-Pp)/(Fp-Pp)));return[70+185*r,110+130*r,150+60*r,170]}function*Vp(e){let t=new DataView(e.buffer,e.byteOffset,e.length);for(let n=0;n+Dp<=e.length;n+=Dp)yield[t.getInt32(n,!0),t.getInt32(n+4,!0),n+8]}var Hp=class{tx;tz;block=new Uint16Array(65536);top=new Uint8Array(65536);isPainted=new Uint8Array(Ep*Ep);canvas=document.createElement(`canvas`);pen;askedAt=-1/0;drawn=null;grown=!0;constructor(e,t){this.tx=e,this.tz=t,this.canvas.width=this.canvas.height=256,this.pen=this.canvas.getContext(`2d`)}get heights(){if(this.drawn&&!this.grown)return this.drawn;this.grown=!1,this.drawn??=Object.assign(document.createElement(`canvas`),{width:256,height:256});let e=new ImageData(256,256);for(let t=0;t<this.top.length;t++)this.block[t]&&e.data.set(Bp(this.top[t],this.top[t%256?t-1:t],this.top[t-256]||this.top[t]),4*t);return this.drawn.getContext(`2d`).putImageData(e,0,0),this.drawn}get blank(){return!this.isPainted.includes(1)}},Up=class{terrain;looks;tiles=new Map;drawn=new Map;dirty=new Map;square=new ImageData(16,16);asking=0;constructor(e,t){this.terrain=e,this.looks=t}update(e,t,n,r,i){for(let a=t;i!==null&&a<=r;a++)for(let t=e;t<=n;t++){let e=this.tile(t,a);i-e.askedAt>Op&&this.asking<kp&&this.ask(e,i)}for(let[e,t]of this.terrain.chunks)this.drawn.get(e)!==t.version&&t.surface.block[0]&&(this.drawn.set(e,t.version),this.put(t.cx,t.cz,e=>t.surface.block[e],e=>t.surface.top[e]));for(let[e,t]of this.dirty.values())this.paint(e,t);this.dirty.clear()}at(e,t){return this.tiles.get(`${e},${t}`)}column(e,t){let n=this.at(Lp(e),Lp(t)),r=(t&255)*256+(e&255);return n?.block[r]?{block:n.block[r],top:n.top[r]}:null}fixtures(e){let t=[];for(let{tx:n,tz:r,block:i,top:a}of this.tiles.values())for(let o=0;o<i.length;o++)e[i[o]]&&t.push({block:i[o],x:n*256+o%256,y:a[o],z:r*256+Math.floor(o/256)});return t}tile(e,t){let n=`${e},${t}`,r=this.tiles.get(n);if(r)return r;let i=new Hp(e,t);return this.tiles.set(n,i),i}async ask(e,t){e.askedAt=t,this.asking++;try{let[t,n]=[e.tx*256,e.tz*256],r=`admin/v1/observer/surfaces?x0=${t}&z0=${n}&x1=${t+256-1}&z1=${n+256-1}`,i=await a(r,{signal:AbortSignal.timeout(Ap)});i.ok&&this.take(new Uint8Array(await i.arrayBuffer()))}catch{}this.asking--}take(e){for(let[t,n,r]of Vp(e))this.terrain.at(t,n)||this.put(t,n,t=>e[r+3*t]|e[r+3*t+1]<<8,t=>e[r+3*t+2])}put(e,t,n,r){let i=this.tile(Math.floor(e/Ep),Math.floor(t/Ep)),a=(e-i.tx*Ep)*16,o=(t-i.tz*Ep)*16,s=!1;for(let e=0;e<256;e++){let t=(o+(e>>4))*256+a+(e&15);(i.block[t]!==n(e)||i.top[t]!==r(e))&&(i.block[t]=n(e),i.top[t]=r(e),s=!0)}if(i.grown||=s,i.isPainted[o/16*Ep+a/16]=1,s)for(let[n,r]of[[0,0],[1,0],[0,1],[1,1]])this.dirty.set(`${e+n},${t+r}`,[e+n,t+r])}paint(e,t){let n=this.at(Math.floor(e/Ep),Math.floor(t/Ep));if(!n)return;let{data:r}=this.square;for(let n=0;n<256;n++){let i=e*16+(n&15),a=t*16+(n>>4),o=this.column(i,a),[s,c,l]=this.looks.top[o?.block??0]??[0,0,0],u=o?zp(o.top,this.column(i-1,a-1)?.top??o.top,i,a):0;r.set([s*u,c*u,l*u,o?255:0],4*n)}n.pen.putImageData(this.square,(e-n.tx*Ep)*16,(t-n.tz*Ep)*16)}},Wp=.768,Gp=60,Kp=26,qp=14,Jp=3,Yp=2e3,Xp=`system-ui, sans-serif`,Zp=`"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif`,Qp=(e,t,n,r,i)=>({x:e,z:t,width:r,height:i,scale:i/(Wp*n)}),$p=(e,t)=>e.left<t.right&&t.left<e.right&&e.top<t.bottom&&t.top<e.bottom,em=12,tm=64,nm=7,rm=24,im=[];function am(e){if(!im[e]){let t=e/em,n=document.createElement(`canvas`);n.width=n.height=tm;let r=n.getContext(`2d`),i=r.createRadialGradient(tm/2,tm/2,0,tm/2,tm/2,tm/2);i.addColorStop(0,`rgb(${230-40*t} ${150-90*t} 30 / ${.1+.7*t})`),i.addColorStop(1,`rgb(230 150 30 / 0)`),r.fillStyle=i,r.fillRect(0,0,tm,tm),im[e]=n}return im[e]}var om=class{viewer;atlas=null;pointer=null;world=null;targets=[];fixtures=[];lookedAt=-1/0;hatch=null;frame=Qp(0,0,100,1,1);constructor(e){this.viewer=e}settle(e){return(this.world!==e||!this.atlas)&&(this.world=e,this.atlas=new Up(e.terrain,e.looks),this.lookedAt=-1/0),this.atlas}draw(e,t,n,r,i){let a=this.settle(t),{viewer:o}=this,{society:s}=o;this.frame=r,this.targets=[],this.ground(e,a,r,i);let c=e=>o.layers.has(e);c(`heights`)&&this.ground(e,a,r,null),c(`activity`)&&this.activity(e,r),s&&c(`land`)&&this.lands(e,s,r),c(`buildings`)&&this.buildings(e,r),s&&c(`events`)&&this.event(e,s,r),c(`paths`)&&this.paths(e,r),this.findThings(t,i),c(`things`)&&this.things(e,t,r),s&&c(`works`)&&this.works(e,s,r),c(`people`)&&this.people(e,t.crowd.list,n,r),s&&c(`land`)&&this.landNames(e,s,r),this.scaleBar(e,r),this.position(e,t,a)}drawSmall(e,t,n,r,i,a,o){let s=this.settle(t);this.ground(e,s,r,o);let{society:c}=this.viewer;c&&this.lands(e,c,r);let l=this.screen(r,r.x,r.z);e.fillStyle=`rgb(255 255 255 / .28)`,e.beginPath();let u={x:l.x+Math.sin(i)*a*r.scale,y:l.y+Math.cos(i)*a*r.scale};e.moveTo(u.x,u.y);for(let t of[-.5,.5])e.lineTo(u.x-Math.sin(i+t)*a*2.4*r.scale,u.y-Math.cos(i+t)*a*2.4*r.scale);e.fill(),t.crowd.list.forEach((t,i)=>{(t.agent.connected||t.id===this.viewer.attention.watched)&&this.dot(e,t,this.screen(r,n[i].x,n[i].z),2.2)})}pick(e,t){let n=null,r=qp;for(let i of this.targets){let a=Math.hypot(i.x-e,i.y-t);a<r&&([n,r]=[i,a])}if(n)return n.see;let i=this.cellAt(e,t),[a,o]=[Math.floor(i.x),Math.floor(i.z)],{viewer:s}=this;return(s.layers.has(`buildings`)?lp(s.buildings,a,null,o):void 0)?.id??an(s.society,a,o)?.id??null}cellAt(e,t){let{frame:n}=this;return{x:n.x+(e-n.width/2)/n.scale,z:n.z+(t-n.height/2)/n.scale}}get hottest(){return Math.max(0,...this.squares().map(e=>Tn.count(e,this.viewer.deed)))}counts(){let{society:e,world:t}=this.viewer,n=t?.crowd,r=(n?.list.length??0)-(n?.connected??0),i=this.viewer.deed===`refused`,a=this.squares().reduce((e,t)=>e+Tn.count(t,this.viewer.deed),0),o=e?.contracts.filter(({state:e})=>e===`OPEN`||e===`ACCEPTED`).length??0;return{land:String(e?.lands.length??0),buildings:String(this.viewer.buildings.length),people:`${n?.connected??0}${r?` + ${r}`:``}`,paths:`last ${Math.round(24*xn/(e?.day_ticks??6e3))} hours`,activity:i?`${a}, last hours`:`${a}, last day`,events:String(+!!e?.event),works:`${o} open`,things:String(this.fixtures.length),heights:`a line every 3`}}ground(e,t,n,r){let{width:i,height:a,scale:o}=n,[s,c]=[n.x-i/2/o,n.z-a/2/o],[l,u,d,f]=[Lp(s),Lp(c),Lp(s+i/o),Lp(c+a/o)];r!==null&&(t.update(l,u,d,f,this.viewer.time.isPast?null:r),e.fillStyle=this.paper(e),e.fillRect(0,0,i,a)),e.imageSmoothingEnabled=o<1;for(let n=u;n<=f;n++)for(let i=l;i<=d;i++){let a=t.at(i,n);if(!a||a.blank)continue;let l=Math.round((i*256-s)*o),u=Math.round((n*256-c)*o),d=Math.round(((i+1)*256-s)*o),f=Math.round(((n+1)*256-c)*o);e.drawImage(r===null?a.heights:a.canvas,l,u,d-l,f-u)}}paper(e){let t=wp();if(this.hatch?.dark!==t){let n=document.createElement(`canvas`);n.width=n.height=8;let r=n.getContext(`2d`);r.fillStyle=Tp(`--well`),r.fillRect(0,0,8,8),r.strokeStyle=Tp(`--edge`),r.beginPath();for(let e of[-8,0,8])r.moveTo(e,8),r.lineTo(e+8,0);r.stroke(),this.hatch={dark:t,pattern:e.createPattern(n,`repeat`)}}return this.hatch.pattern}screen(e,t,n){return{x:e.width/2+(t-e.x)*e.scale,y:e.height/2+(n-e.z)*e.scale}}squares(){if(this.viewer.deed!==`refused`)return[...this.viewer.traces.squares.values()];let e=new Tn;for(let{x:t,z:n}of this.viewer.time.book.refusals())e.square(t>>3,n>>3).mined++;return[...e.squares.values()]}activity(e,t){let n=this.squares(),r=n.map(e=>Tn.count(e,this.viewer.deed)),i=Math.sqrt(Math.max(1,...r));n.forEach(({x:n,z:a},o)=>{if(!r[o])return;let s=Math.sqrt(r[o])/i,c=this.screen(t,(n+.5)*8,(a+.5)*8),l=8*t.scale*.85;c.x<-l||c.y<-l||c.x>t.width+l||c.y>t.height+l||e.drawImage(am(Math.round(s*em)),c.x-l,c.y-l,2*l,2*l)})}lands(e,t,n){for(let{id:r,owner:i,anchor:a,radius:o,core:s}of t.lands){let t=yp(i),c=this.viewer.see===r||this.viewer.see===i,l=this.screen(n,a[0]-o,a[2]-o),u=(2*o+1)*n.scale;if(e.fillStyle=xp(t,c?.2:.1),e.fillRect(l.x,l.y,u,u),e.strokeStyle=xp(t),e.lineWidth=c?3.5:2.5,e.strokeRect(l.x,l.y,u,u),!s||s>=o)continue;let d=this.screen(n,a[0]-s,a[2]-s);e.lineWidth=1,e.setLineDash([4,4]),e.strokeRect(d.x,d.y,(2*s+1)*n.scale,(2*s+1)*n.scale),e.setLineDash([])}}buildings(e,t){let n=t.scale>=nm;for(let r of this.viewer.buildings){let{id:i,low:a,high:o}=r,s=this.screen(t,a[0],a[2]),[c,l]=[(o[0]-a[0]+1)*t.scale,(o[2]-a[2]+1)*t.scale],u=this.viewer.see===i;if(e.strokeStyle=u?Tp(`--accent`):`rgb(28 27 24 / .7)`,e.lineWidth=u?3:1,e.strokeRect(s.x,s.y,c,l),!u&&(!n||ap(r)))continue;let d=M(j(r.blueprint_id));e.font=`600 11px ${Xp}`,!(!u&&e.measureText(d).width>c+rm)&&(e.lineWidth=3,e.strokeStyle=`rgb(28 27 24 / .8)`,e.textAlign=`center`,e.textBaseline=`middle`,e.strokeText(d,s.x+c/2,s.y+l/2),e.fillStyle=`#fff`,e.fillText(d,s.x+c/2,s.y+l/2))}}landNames(e,t,n){for(let{id:r,owner:i,anchor:a,radius:o}of t.lands){let t=this.screen(n,a[0]+.5,a[2]-o);this.plate(e,this.viewer.nameOf(i),t.x,t.y-13,xp(yp(i))),this.targets.push({see:r,x:t.x,y:t.y-13})}}event(e,{event:t},n){if(!t?.center)return;let r=this.screen(n,t.center[0]+.5,t.center[2]+.5);e.strokeStyle=Tp(`--talk`),e.lineWidth=2,e.setLineDash([7,5]),e.beginPath(),e.arc(r.x,r.y,Math.max(6,t.radius*n.scale),0,2*Math.PI),e.stroke(),e.setLineDash([]);let i=r.y-Math.max(6,t.radius*n.scale);this.plate(e,t.title,r.x,i,Tp(`--talk`)),this.targets.push({see:t.id,x:r.x,y:i})}paths(e,t){e.strokeStyle=`rgb(255 255 255 / .75)`,e.lineJoin=`round`;for(let[n,r]of this.viewer.traces.paths){e.lineWidth=n===this.viewer.attention.watched?2.5:1,e.setLineDash(n===this.viewer.attention.watched?[]:[2,3]),e.beginPath();for(let{x:n,z:i}of r){let r=this.screen(t,n+.5,i+.5);e.lineTo(r.x,r.y)}e.stroke()}e.setLineDash([])}findThings({looks:e},t){t-this.lookedAt<Yp||(this.lookedAt=t,this.fixtures=this.atlas.fixtures(Uint8Array.from(e.palette,e=>Number(pp.includes(e)))))}things(e,t,n){for(let{block:r,x:i,y:a,z:o}of this.fixtures)this.mark(e,`@${i},${a},${o}`,t.looks.word(r)[0].toUpperCase(),this.screen(n,i+.5,o+.5),Tp(`--pale`))}works(e,t,n){let r=new Map;for(let i of t.contracts){if(i.state!==`OPEN`&&i.state!==`ACCEPTED`)continue;let t=i.anchor??i.terminal,a=t.join(`,`),o=r.get(a)??0;if(r.set(a,o+1),o>=Jp)continue;let s=this.screen(n,t[0]+.5,t[2]+.5);this.mark(e,i.id,String(Number(i.id.slice(1))),{x:s.x+22*o,y:s.y-12},Tp(`--wait`))}}people(e,t,n,r){let{watched:i}=this.viewer.attention,a=t.map((e,t)=>({body:e,...this.screen(r,n[t].x,n[t].z)})).filter(({x:e,y:t})=>e>-20&&t>-20&&e<r.width+20&&t<r.height+20),o=({x:e,y:t})=>this.pointer?Math.hypot(e-this.pointer.x,t-this.pointer.y):1/0,s=a.length>Gp,c=new Set(this.viewer.society?.organisations.flatMap(({members:e})=>Object.keys(e).filter(t=>e[t]===`LEADER`))),l=({body:e,x:t,y:n})=>o({x:t,y:n})<40?0:e.id===i?1:c.has(e.id)?2:e.agent.connected?3:4,u=new Map;for(let e of a){this.targets.unshift({see:e.body.id,x:e.x,y:e.y});let t=s&&e.body.id!==i?`${Math.floor(e.x/Kp)},${Math.floor(e.y/Kp)}`:e.body.id;u.set(t,[...u.get(t)??[],e])}for(let t of u.values())if(t.length>2)this.cluster(e,t);else for(let{body:n,x:r,y:a}of t)this.dot(e,n,{x:r,y:a},n.id===i?7:5);let d=[],f=a.filter(e=>!s||l(e)<2).sort((e,t)=>l(e)-l(t)||o(e)-o(t));for(let{body:t,x:n,y:r}of f)this.name(e,t,n,r,d)}dot(e,t,n,r){e.beginPath(),e.arc(n.x,n.y,r,0,2*Math.PI),e.fillStyle=t.agent.connected?`hsl(${Math.round(t.hue*360)} 55% 52%)`:`#8d8a82`,e.fill(),e.strokeStyle=t.id===this.viewer.attention.watched?`#ffd46b`:`#fff`,e.lineWidth=r>3?2:1,e.stroke()}cluster(e,t){let n=t.reduce((e,t)=>e+t.x,0)/t.length,r=t.reduce((e,t)=>e+t.y,0)/t.length;e.beginPath(),e.arc(n,r,11,0,2*Math.PI),e.fillStyle=`rgb(28 27 24 / .75)`,e.fill(),this.text(e,String(t.length),n,r,`600 11px ${Xp}`,`#fff`)}name(e,t,n,r,i){e.font=`600 12px ${Xp}`;let a=pr(t),o={left:n+8,right:n+12+e.measureText(a).width,top:r-9,bottom:r+9};i.some(e=>$p(o,e))||(i.push(o),e.textAlign=`left`,e.textBaseline=`middle`,e.lineWidth=3,e.strokeStyle=`rgb(28 27 24 / .8)`,e.strokeText(a,n+10,r),e.fillStyle=t.agent.connected?`#fff`:`#cfcbc0`,e.fillText(a,n+10,r))}mark(e,t,n,r,i){this.targets.push({see:t,...r}),e.beginPath(),e.roundRect(r.x-9,r.y-9,18,18,4),e.fillStyle=Tp(`--sheet`),e.fill(),e.strokeStyle=this.viewer.see===t?Tp(`--accent`):i,e.lineWidth=this.viewer.see===t?2.5:1,e.stroke(),this.text(e,n,r.x,r.y+.5,`600 11px ${Xp}`,Tp(`--ink`))}plate(e,t,n,r,i){e.font=`600 14px ${Zp}`;let a=e.measureText(t).width+16;e.beginPath(),e.roundRect(n-a/2,r-11,a,22,5),e.fillStyle=Tp(`--sheet`),e.fill(),e.strokeStyle=i,e.lineWidth=1.5,e.stroke(),this.text(e,t,n,r+1,e.font,i)}text(e,t,n,r,i,a){e.font=i,e.textAlign=`center`,e.textBaseline=`middle`,e.fillStyle=a,e.fillText(t,n,r)}scaleBar(e,{width:t,height:n,scale:r}){let i=[1,2,5,10,20,50,100,200,500,1e3].filter(e=>e*r<=130).pop()??1,a=`${i} ${i===1?`pace`:`paces`} · N ↑`;e.font=`12px ${Xp}`;let o=i*r,s=o+e.measureText(a).width+30,c=t-70;e.beginPath(),e.roundRect(c-s,n-38,s,26,13),e.fillStyle=Tp(`--sheet`),e.fill(),e.strokeStyle=Tp(`--ink`),e.lineWidth=1.5,e.beginPath(),e.moveTo(c-s+12,n-29),e.lineTo(c-s+12,n-25),e.lineTo(c-s+12+o,n-25),e.lineTo(c-s+12+o,n-29),e.stroke(),e.textAlign=`right`,e.textBaseline=`middle`,e.fillStyle=Tp(`--ink`),e.fillText(a,c-12,n-25)}position(e,t,n){if(!this.pointer)return;let r=this.cellAt(this.pointer.x,this.pointer.y),[i,a]=[Math.floor(r.x),Math.floor(r.z)],o=n.column(i,a),s=o?`${i}, ${o.top}, ${a} · ${t.looks.word(o.block)}`:`${i}, ${a} · nobody has been there`;e.font=`12px ${Xp}`;let c=e.measureText(s).width+20;e.beginPath(),e.roundRect(12,this.frame.height-38,c,26,13),e.fillStyle=Tp(`--sheet`),e.fill(),e.textAlign=`left`,e.textBaseline=`middle`,e.fillStyle=Tp(`--ink`),e.fillText(s,22,this.frame.height-25)}},sm=9,cm=[[1,0,0],[-1,0,0],[0,1,0],[0,-1,0],[0,0,1],[0,0,-1]],lm=2,um=3,dm=18,fm=dm*dm,pm=2,mm=4,hm=2,gm=14,_m=[.64,.78,.9,1],vm=.07,ym=(e,t,n)=>t*fm+n*dm+e,bm=cm.map(e=>{let t=e.findIndex(e=>e!==0),n=(t+1)%3,r=(t+2)%3,i=[[0,0],[1,0],[1,1],[0,1]];return e[t]<0&&i.reverse(),i.map(([i,a])=>{let o=[0,0,0];o[t]=+(e[t]>0),o[n]=i,o[r]=a;let s=[...e];s[n]+=2*i-1;let c=[...e];c[r]+=2*a-1;let l=[...s];l[r]+=2*a-1;let[u,d,f]=o;return{x:u,y:d,z:f,one:ym(s[0],s[1],s[2]),two:ym(c[0],c[1],c[2]),across:ym(l[0],l[1],l[2])}})}),xm=cm.map(([e,t,n])=>ym(e,t,n)),Sm={post:[7,0,7,9,11,9],board:[2,4,7,14,15,9],flat:[0,0,0,16,1,16]},Cm=class{place=new Uint16Array(65536);paint=new Uint8Array(65536);count=0;corner(e,t,n,r,i,a,o,s,c){let l=(e*4+t)*4;this.place[l]=n,this.place[l+1]=r,this.place[l+2]=i,this.place[l+3]=a,this.paint[l]=Math.min(255,o[0]*s),this.paint[l+1]=Math.min(255,o[1]*s),this.paint[l+2]=Math.min(255,o[2]*s),this.paint[l+3]=c}next(){if((this.count+1)*16>this.place.length){let e=new Uint16Array(this.place.length*2);e.set(this.place),this.place=e;let t=new Uint8Array(this.paint.length*2);t.set(this.paint),this.paint=t}return this.count++}take(){let{count:e}=this;return this.count=0,{count:e,place:this.place.slice(0,e*16),paint:this.paint.slice(0,e*16)}}};function wm(e,t,n){let r=Math.imul(e,374761393)^Math.imul(t,668265263)^Math.imul(n,1440670441);return r=Math.imul(r^r>>>13,1274126177),((r^r>>>16)&65535)/65535}var Tm=class{terrain;cells;sheet=new Cm;low=0;high=0;lamps=[];constructor(e){this.terrain=e,this.cells=new Uint16Array(fm*(e.height+pm))}mesh(e){this.copy(e),this.lamps=this.lampsNear(e);for(let t=this.low;t<=this.high;t++)for(let n=0;n<16;n++){let r=ym(1,t+1,n+1);for(let i=0;i<16;i++,r++)this.cells[r]!==0&&this.cell(e,r,i,t,n)}return this.sheet.take()}sheen(e){let{glow:t,kind:n}=this.terrain.looks;return t[e]?255:n[e]*8}lampsNear({cx:e,cz:t}){let n=[];for(let r=-1;r<=1;r++)for(let i=-1;i<=1;i++)for(let{x:a,y:o,z:s}of this.terrain.at(e+i,t+r)?.lamps(this.terrain.looks)??[]){let r={x:a-e*16,y:o,z:s-t*16};Math.max(-r.x,r.x-16,-r.z,r.z-16)<sm&&n.push(r)}return n}lit(e,t,n,r){let i=0,[a,o,s]=cm[e];for(let e of this.lamps){let[c,l,u]=[e.x-t,e.y-n,e.z-r],d=c*c+l*l+u*u;if(d>=81)continue;let f=Math.sqrt(d),p=.45+.55*Math.max(0,Math.min(1,(c*a+l*o+u*s)/(f+.5)+.35));i=Math.max(i,(1-f/sm)*p)}return e+8*Math.round(31*i)}cell(e,t,n,r,i){let{looks:a}=this.terrain,o=this.cells[t],s=1-vm/2+vm*wm(e.cx*16+n,r,e.cz*16+i);switch(a.shape[o]){case`cube`:for(let e=0;e<6;e++)this.shows(t,e,r)&&this.face(t,e,n,r,i,o,s);break;case`water`:this.water(t,n,r,i,o);break;case`plant`:this.plant(n,r,i,o,s);break;case`post`:case`board`:case`flat`:this.box(Sm[a.shape[o]],n,r,i,o,s)}}shows(e,t,n){let{opaque:r,shape:i}=this.terrain.looks;if(t===um&&n===this.low)return!1;let a=e+xm[t],o=this.cells[a];return r[o]?!1:i[o]!==`water`||t!==lm&&i[this.cells[a+fm]]!==`water`}face(e,t,n,r,i,a,o){let{looks:s}=this.terrain,{cells:c,sheet:l}=this,u=t===lm?s.top[a]:s.side[a],d=bm[t],f=d.map(({one:t,two:n,across:r})=>{let i=s.opaque[c[e+t]],a=s.opaque[c[e+n]];return i&&a?0:3-i-a-s.opaque[c[e+r]]}),p=f[0]+f[2]>=f[1]+f[3]?0:1,m=l.next();for(let e=0;e<4;e++){let s=d[p+e&3],c=o*_m[f[p+e&3]],h=this.lit(t,n+s.x,r+s.y,i+s.z);l.corner(m,e,(n+s.x)*16,(r+s.y)*16,(i+s.z)*16,h,u,c,this.sheen(a))}}water(e,t,n,r,i){let{looks:a}=this.terrain,o=a.shape[this.cells[e+fm]]!==`water`;for(let s=0;s<6;s++){let c=this.cells[e+xm[s]];if((a.opaque[c]||a.shape[c]===`water`||s===um)&&!(s===lm&&o))continue;let l=s===lm?a.top[i]:a.side[i],u=this.sheet.next();bm[s].forEach((e,a)=>{let c=e.y&&o?gm:e.y*16,d=this.lit(s,t+e.x,n+e.y,r+e.z);this.sheet.corner(u,a,(t+e.x)*16,n*16+c,(r+e.z)*16,d,l,1,this.sheen(i))})}}plant(e,t,n,r,i){let{looks:a}=this.terrain,o=this.lit(lm,e+.5,t,n+.5);for(let[s,c,l,u]of[[2,2,14,14],[14,2,2,14]])for(let[d,f,p,m]of[[s,c,l,u],[l,u,s,c]]){let s=this.sheet.next(),c=(a,c,l,u,d)=>this.sheet.corner(s,a,e*16+c,t*16+l,n*16+u,o,d,i,this.sheen(r));c(0,d,0,f,a.side[r]),c(1,p,0,m,a.side[r]),c(2,p,14,m,a.top[r]),c(3,d,14,f,a.top[r])}}box(e,t,n,r,i,a){let{looks:o}=this.terrain;for(let s=0;s<6;s++){let c=s===lm?o.top[i]:o.side[i],l=this.sheet.next();bm[s].forEach((o,u)=>{let d=[o.x,o.y,o.z].map((t,n)=>e[n+3*t]);this.sheet.corner(l,u,t*16+d[0],n*16+d[1],r*16+d[2],this.lit(s,t+.5,n+.5,r+.5),c,a,this.sheen(i))})}}copy(e){let{terrain:t,cells:n}=this;n.fill(0),this.low=e.voxels?0:t.height,this.high=0;let r=[];for(let n=-1;n<=1;n++)for(let i=-1;i<=1;i++)r.push(t.at(e.cx+i,e.cz+n));let i=(e,t)=>{let n=r[(t+16>>4)*3+(e+16>>4)];return n&&{owner:n,i:(t&15)*16+(e&15)}};for(let t=-1;t<=16;t++)for(let n=-1;n<=16;n++){let r=i(n,t);r&&this.measure(r.owner,r.i,r.owner===e)}this.low=Math.max(0,this.low-mm);for(let e=-1;e<=16;e++)for(let t=-1;t<=16;t++){let n=i(t,e);n&&this.column(n.owner,n.i,ym(t+1,1,e+1))}this.trunks(e)}measure(e,t,n){(!e.voxels||!n)&&(this.low=Math.min(this.low,e.ground(this.terrain.looks)[t])),n&&(this.high=Math.max(this.high,e.voxels?this.terrain.height-1:e.surface.top[t]))}column(e,t,n){let{cells:r,terrain:i}=this,{looks:a,height:o}=i;if(e.voxels){for(let i=this.low;i<o;i++)r[n+i*fm]=e.voxels[i*16*16+t];return}let s=e.surface.block[t],c=e.surface.top[t];if(s===0)return;let l=a.under[s],u=c-1;if(r[n+c*fm]=s,s===a.leaves){let i=e.ground(a)[t];for(;u>i&&u>c-hm;u--)r[n+u*fm]=s;u=Math.min(u,i),l=a.grass}for(let e=u;e>=this.low;e--)r[n+e*fm]=l,l=a.under[l]}trunks(e){if(e.voxels)return;let{looks:t}=this.terrain,{block:n,top:r}=e.surface,i=e.ground(t);for(let e=0;e<256;e++){if(n[e]!==t.leaves)continue;let a=ym((e&15)+1,1,(e>>4)+1),o=a+r[e]*fm;if([1,-1,dm,-dm].every(e=>this.cells[o+e]===t.leaves&&this.cells[o+e+fm]!==t.leaves))for(let n=i[e]+1;n<r[e];n++)this.cells[a+n*fm]=t.log}}},Em={uSun:{value:new G(0,1,0)},uSunColour:{value:new G},uAbove:{value:new G(1,1,1)},uBelow:{value:new G},uHaze:{value:new G},uReach:{value:new za(200,400)},uSeconds:{value:0},uFocus:{value:44},uNight:{value:0},uFrost:{value:0},uWet:{value:0}};function Dm(e){let t=(e,[t,n,r])=>e.set(t,n,r);t(Em.uSun.value,e.sun),t(Em.uSunColour.value,e.sunColour),t(Em.uAbove.value,e.above),t(Em.uBelow.value,e.below),t(Em.uHaze.value,e.haze),Em.uNight.value=e.night}var Om=`
  uniform vec3 uSun, uSunColour, uAbove, uBelow;
  uniform vec2 uReach;
  varying vec3 vColour;
  varying float vHaze;
  vec3 lit(vec3 normal) {
    return mix(uBelow, uAbove, normal.y * 0.5 + 0.5) + uSunColour * max(dot(normal, uSun), 0.0);
  }
`,km=`
  uniform vec3 uHaze;
  varying vec3 vColour;
  varying float vHaze;
  void main() { gl_FragColor = vec4(mix(vColour, uHaze, vHaze), 1.0); }
`,Am=new Yc({uniforms:Em,vertexShader:`
    attribute vec4 place;
    attribute vec4 paint;
    uniform vec3 uSun, uSunColour, uAbove, uBelow;
    uniform vec2 uReach;
    uniform float uNight, uSeconds;
    flat varying vec2 vFace; // its pattern, and the side it faces
    varying vec3 vPaint, vLight, vPlace, vSeen;
    varying float vLamp;
    const vec3 SIDES[6] = vec3[6](${cm.map(e=>`vec3(${e.map(e=>e.toFixed(1)).join(`,`)})`).join(`,`)});
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
  `}),jm=new Yc({uniforms:Em,vertexShader:`
    attribute vec4 paint;
    ${Om}
    void main() {
      vec4 seen = modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      vec3 colour = mix(paint.rgb, paint.rgb * instanceColor, paint.a);
      vColour = colour * (lit(normalize(mat3(instanceMatrix) * normal)) * 0.85 + 0.2);
      vHaze = 0.0;
      gl_Position = projectionMatrix * seen;
    }
  `,fragmentShader:km}),Mm=new Yc({uniforms:Em,transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-2,vertexShader:`
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
  `}),Nm=new Yc({transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-2,polygonOffsetUnits:-4,vertexShader:`
    void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }
  `,fragmentShader:`
    void main() { gl_FragColor = vec4(1.0, 0.83, 0.42, 0.9); }
  `}),Pm=new Yc({uniforms:{...Em,uMiddle:{value:new G},uSnow:{value:0},uSize:{value:1}},transparent:!0,depthWrite:!1,vertexShader:`
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
  `}),Fm=2e3,Im=.16,Lm=.7,Rm=1.04,zm=24e3,Bm=new Yc({uniforms:Em,transparent:!0,depthWrite:!1,side:2,polygonOffset:!0,polygonOffsetFactor:-1,polygonOffsetUnits:-1,vertexShader:`
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
  `}),Vm=[{dx:1,dz:0,inX:0,inZ:1,farX:0,farZ:0},{dx:1,dz:0,inX:0,inZ:-1,farX:0,farZ:1},{dx:0,dz:1,inX:1,inZ:0,farX:0,farZ:0},{dx:0,dz:1,inX:-1,inZ:0,farX:1,farZ:0}],Hm=class{mesh=new lc(new zs,Bm);lands=null;chosen=null;size=-1;at=-1/0;constructor(){this.mesh.frustumCulled=!1,this.mesh.renderOrder=1}update(e,t,n,r){let i=n.chunks.size!==this.size,a=e===this.lands&&t===this.chosen;a&&!i||a&&r-this.at<Fm||(this.lands=e,this.chosen=t,this.size=n.chunks.size,this.at=r,this.build(e,n))}build(e,t){let n=[],r=[];for(let i of e){if(n.length>zm*12)break;let e=this.chosen===i.id||this.chosen===i.owner,[a,o,s]=yp(i.owner,.68).map(e=>e/255),c=(e,t,i)=>{e.forEach((e,c)=>{n.push(e[0],e[1],e[2]),r.push(a,o,s,c<2?t:i)})},l=Im*(e?2:1),u=2*i.radius+1;for(let{dx:n,dz:r,inX:a,inZ:o,farX:s,farZ:d}of Vm)for(let f=0;f<u;f++){let p=i.anchor[0]-i.radius+n*f+s*u,m=i.anchor[2]-i.radius+r*f+d*u,h=t.groundAt(p-s+.5,m-d+.5);if(h===void 0)continue;let g=h+Rm,_=[p+n,g,m+r];c([[p,g,m],_,[_[0]+a*l,g,_[2]+o*l],[p+a*l,g,m+o*l]],.95,.95),c([[p,g,m],_,[_[0],g+Lm,_[2]],[p,g+Lm,m]],e?.7:.32,0)}}let i=n.length/12,a=new Uint32Array(i*6);for(let e=0;e<i;e++)a.set([0,1,2,0,2,3].map(t=>e*4+t),e*6);this.mesh.geometry.dispose();let o=new zs;o.setAttribute(`position`,new ws(new Float32Array(n),3)),o.setAttribute(`paint`,new ws(new Float32Array(r),4)),o.setIndex(new ws(a,1)),this.mesh.geometry=o,this.mesh.visible=i>0}},Um=8,Wm=700,Gm=Math.PI/2-.05,Km=.12,qm={side:.6,rise:.72},Jm=150,Ym=2e3,Xm=130,Zm=class{still;lens=new El(42,1,.5,3e3);target=new G;wished={x:0,y:24,z:0,...qm,distance:44};shown={...this.wished};distanceBefore=this.wished.distance;settled=!1;constructor(e){this.still=e}pan(e,t){let{side:n,distance:r}=this.wished;this.wished.x+=(Math.cos(n)*e-Math.sin(n)*t)*r,this.wished.z+=(-Math.sin(n)*e-Math.cos(n)*t)*r}turn(e,t){this.wished.side+=e,this.wished.rise=Math.min(Gm,Math.max(Km,this.wished.rise+t))}zoom(e,t=!1){this.wished.distance=Math.min(t?Ym:Wm,Math.max(Um,this.wished.distance*e))}mirror(e){Object.assign(this.wished,e.shown),this.cut()}enterMap(){this.distanceBefore=this.wished.distance,this.wished.distance=Math.max(Jm,this.wished.distance)}leaveMap(){this.wished.distance=Math.min(this.distanceBefore,this.wished.distance)}slide(e,t){this.wished.x+=e,this.wished.z+=t}lookAt(e,t,n){Object.assign(this.wished,{x:e,y:t,z:n})}get said(){let{x:e,z:t,distance:n,side:r,rise:i}=this.wished;return[e,t,n,r*180/Math.PI,i*180/Math.PI].map(Math.round).join(`,`)}heed(e){if(!/^-?\d{1,6}(,-?\d{1,6}){4}$/.test(e))return!1;let[t,n,r,i,a]=e.split(`,`).map(Number);return Object.assign(this.wished,{x:t,z:n,side:i*Math.PI/180}),this.wished.distance=Math.min(Wm,Math.max(Um,r)),this.wished.rise=Math.min(Gm,Math.max(Km,a*Math.PI/180)),this.cut(),!0}cut(){this.settled=!1}update(e){let{wished:t,shown:n,lens:r,target:i}=this,a=this.still||!this.settled?1:1-Math.exp(-e/Xm);this.settled=!0;for(let e of[`x`,`y`,`z`,`rise`,`distance`])n[e]+=(t[e]-n[e])*a;n.side=rr(n.side,t.side,a),i.set(n.x,n.y,n.z);let o=Math.cos(n.rise)*n.distance;r.position.set(n.x+Math.sin(n.side)*o,n.y+Math.sin(n.rise)*n.distance,n.z+Math.cos(n.side)*o),r.lookAt(i),r.near=Math.max(.5,n.distance/40),r.far=this.horizon,r.updateProjectionMatrix(),r.updateMatrixWorld()}get side(){return this.shown.side}get distance(){return this.shown.distance}get horizon(){return this.shown.distance*2.6+220}},Qm=240,$m=5,eh=.7,th=.13,nh=class{mesh;matrix=new co;colour=new J;constructor(){let e=new zc(1,1,1),t=new Float32Array(e.attributes.position.count*4).fill(1);e.setAttribute(`paint`,new ws(t,4)),this.mesh=new xc(e,jm,Qm),this.mesh.instanceMatrix.setUsage(ga),this.mesh.setColorAt(0,this.colour),this.mesh.frustumCulled=!1,this.mesh.count=0}update(e,t,n,r){let i=0;for(let a=0;a<e.length&&i+$m<=Qm;a++){let o=e[a].agent.work_task;if(o?.kind!==`MINE`||t[a].speed>0)continue;let[s,c,l]=o.target,u=n.blockAt(s,c,l),[d,f,p]=n.looks.side[u??0]??[120,110,95];for(let t=0;t<$m;t++,i++){let n=(r/1e3/eh+t/$m+e[a].hue)%1,o=t*2.4+Math.floor(r/1e3/eh+t/$m)*1.7,u=1.9*n-2.6*n*n;this.matrix.makeScale(th,th,th).setPosition(s+.5+Math.sin(o)*(.35+.7*n),c+.8+u,l+.5+Math.cos(o)*(.35+.7*n)),this.mesh.setMatrixAt(i,this.matrix),this.mesh.setColorAt(i,this.colour.setRGB(d/255,f/255,p/255))}}this.mesh.count=i,this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.instanceColor&&(this.mesh.instanceColor.needsUpdate=!0)}};function rh(e){let t=[],n=[],r=[],i=[];for(let{from:a,to:o,colour:s,dye:c=0}of e)for(let e of cm){let l=t.length/3,u=e.findIndex(e=>e!==0),d=[[0,0],[1,0],[1,1],[0,1]];e[u]<0&&d.reverse();for(let[i,l]of d){let d=[0,0,0];d[u]=+(e[u]>0),d[(u+1)%3]=i,d[(u+2)%3]=l,t.push(...d.map((e,t)=>e?o[t]:a[t])),n.push(...e),r.push((s>>16)/255,(s>>8&255)/255,(s&255)/255,c)}i.push(...[0,1,2,0,2,3].map(e=>l+e))}let a=new zs;return a.setAttribute(`position`,new ws(new Float32Array(t),3)),a.setAttribute(`normal`,new ws(new Float32Array(n),3)),a.setAttribute(`paint`,new ws(new Float32Array(r),4)),a.setIndex(i),a}var ih=4096,ah=14925205,oh=5980976,sh=5196357,ch=16777215,lh=3352863,uh=[{from:[-.3,.62,-.17],to:[.3,1.24,.17],colour:ch,dye:1},{from:[-.31,.6,-.18],to:[.31,.68,.18],colour:5916208},{from:[-.27,1.26,-.26],to:[.27,1.72,.26],colour:ah},{from:[-.28,1.56,-.27],to:[.28,1.8,.2],colour:oh},{from:[-.28,1.34,-.28],to:[.28,1.62,-.2],colour:oh},{from:[-.17,1.44,.26],to:[-.08,1.54,.28],colour:lh},{from:[.08,1.44,.26],to:[.17,1.54,.28],colour:lh},{from:[-.05,1.36,.26],to:[.05,1.45,.33],colour:ah}],dh=[{from:[-.13,-.62,-.13],to:[.13,.02,.13],colour:sh},{from:[-.14,-.62,-.14],to:[.14,-.5,.19],colour:3813158}],fh=[{from:[-.08,-.42,-.1],to:[.08,.04,.1],colour:14540253,dye:1},{from:[-.075,-.56,-.09],to:[.075,-.42,.09],colour:ah}],ph=[{from:[-.04,-.54,-.1],to:[.04,-.46,.62],colour:9071170},{from:[-.05,-.8,.5],to:[.05,-.2,.64],colour:10988205}],mh=[{from:[-.26,.72,.24],to:[.26,1.16,.7],colour:12095064},{from:[-.28,.9,.22],to:[.28,.97,.72],colour:8215604}],hh=70,gh={side:.15,height:.62},_h={side:.38,height:1.18},vh={MINE:`strike`,GATHER:`put`,PLACE:`put`,BUILD_BLUEPRINT:`strike`,CRAFT:`put`,SMELT:`put`,TRANSFER:`carry`,OPEN:`put`,CLAIM_LAND:`put`},yh=new J(.55,.55,.55);function bh(){let e=new zs,t=[[-1,-1],[-1,1],[1,1],[1,-1]],n=t.flatMap(([e,t])=>[e*.5,.04,t*.5]),r=t.flatMap(([e,t])=>[(e+1)/2,(t+1)/2,0,0]);return e.setAttribute(`position`,new ws(new Float32Array(n),3)),e.setAttribute(`paint`,new ws(new Float32Array(r),4)),e.setIndex([0,1,2,0,2,3]),e}function xh(e,t){let n=new xc(e,t,ih);return n.instanceMatrix.setUsage(ga),n.frustumCulled=!1,n.count=0,n}var Sh=class{group=new Lo;upper=xh(rh(uh),jm);left=xh(rh(dh),jm);right=xh(rh(dh),jm);leftArm=xh(rh(fh),jm);rightArm=xh(rh(fh),jm);tool=xh(rh(ph),jm);crate=xh(rh(mh),jm);spots=xh(bh(),Mm);matrix=new co;dye=new J;all=[this.spots,this.upper,this.left,this.right,this.leftArm,this.rightArm,this.tool,this.crate];constructor(){for(let e of this.all)e!==this.spots&&e.setColorAt(0,yh);this.group.add(...this.all)}update(e,t,n,r){let i=Math.min(e.length,ih),a=Math.max(1,r/hh);this.tool.count=this.crate.count=0;for(let r=0;r<i;r++)this.put(r,e[r],t[r],n,a);for(let e of this.all){e!==this.tool&&e!==this.crate&&(e.count=i);for(let t of[e.instanceMatrix,e.instanceColor])t?.clearUpdateRanges(),t?.addUpdateRange(0,i*t.itemSize),t&&(t.needsUpdate=!0)}}put(e,t,n,r,i){let{matrix:a,dye:o}=this,{work_task:s,connected:c}=t.agent,l=s&&n.speed===0?vh[s.kind]??`put`:null,u=s!==void 0&&vh[s.kind]===`carry`,d=Math.min(1,n.speed/4),f=r/1e3+t.hue*7,p=Math.sin(f*9)*.7*d,m=Math.sin(f*6.5),h=c&&!d?Math.sin(f*1.8)*.012:0,g=(l===`strike`?Math.max(0,m)*.05:Math.abs(p)*.06)+h,_=Math.sin(n.yaw)*i,v=Math.cos(n.yaw)*i;a.set(v,0,_,n.x,0,i,0,n.y+g,-_,0,v,n.z,0,0,0,1),this.upper.setMatrixAt(e,a),u&&this.crate.setMatrixAt(this.crate.count++,a);let y=(t,{side:r,height:o},s,c,l=0)=>{let u=Math.sin(c),d=Math.cos(c);a.set(v,_*u,_*d,n.x+v*r*s,0,d*i,-u*i,n.y+(o+l)*i,-_,v*u,v*d,n.z-_*r*s,0,0,0,1),t.setMatrixAt(e,a)};for(let[t,n]of[[this.left,1],[this.right,-1]])y(t,gh,n,p*n),t.setColorAt(e,yh);let b=t.saying!==null&&!l,x=u?-1.15:l===`put`?-.9-.3*m:null,S=l===`strike`?-1.7+1.1*Math.max(-.6,m):x??(b?-1.9+.35*m:-p);y(this.leftArm,_h,1,l===`strike`?-.7+.5*Math.max(-.6,m):x??p*-1,g),y(this.rightArm,_h,-1,x??(l===`strike`||b?S:p),g),l===`strike`&&this.tool.setMatrixAt(this.tool.count++,a),a.makeScale(i,1,i).setPosition(n.x,n.y,n.z),this.spots.setMatrixAt(e,a),c?o.setHSL(t.hue,.5,.58):o.copy(yh);for(let t of[this.upper,this.leftArm,this.rightArm])t.setColorAt(e,o)}},Ch=2,wh=5,Th=.4,Eh=(e,t)=>dt(Math.floor(e/Ch),Math.floor(t/Ch)),Dh=new ws(new Uint32Array,1);function Oh(e){if(Dh.count<e*6){let t=Math.max(e,4096)*2,n=new Uint32Array(t*6);for(let e=0;e<t;e++)n.set([0,1,2,0,2,3].map(t=>e*4+t),e*6);Dh=new ws(n,1)}return Dh}var kh=class{rx;rz;height;quads=new Map;mesh=new lc(new zs,Am);constructor(e,t,n){this.rx=e,this.rz=t,this.height=n,this.mesh.scale.setScalar(1/16),this.mesh.position.set(e*Ch*16,0,t*Ch*16)}rebuild(){let e=[...this.quads.values()],t=e.reduce((e,t)=>e+t.quads.count,0),n=new Uint16Array(t*16),r=new Uint8Array(t*16),i=0;for(let{cx:t,cz:a,quads:o}of e){let e=(t-this.rx*Ch)*16*16,s=(a-this.rz*Ch)*16*16;r.set(o.paint,i);for(let t=0;t<o.place.length;t+=4,i+=4)n[i]=o.place[t]+e,n[i+1]=o.place[t+1],n[i+2]=o.place[t+2]+s,n[i+3]=o.place[t+3]}this.dispose();let a=new zs;a.setAttribute(`place`,new ws(n,4)),a.setAttribute(`paint`,new ws(r,4,!0)),a.setIndex(Oh(t)),a.setDrawRange(0,t*6);let o=Ch*16*16/2,s=this.height*16/2;a.boundingSphere=new js(new G(o,s,o),Math.hypot(o,o,s)),this.mesh.geometry=a}dispose(){this.mesh.geometry.setIndex(null),this.mesh.geometry.dispose()}},Ah=class{terrain;group=new Lo;regions=new Map;mesher;constructor(e){this.terrain=e,this.mesher=new Tm(e)}update(e,t,n=0){let{stale:r}=this.terrain,i=performance.now()+Math.max(wh,n*Th),a=new Set;for(;r.size&&performance.now()<i;){let[n,i]=jh(r.values(),e/16,t/16),o=dt(n,i);r.delete(o),a.add(this.draw(o,n,i))}for(let e of a)this.finish(e)}get behind(){return this.terrain.stale.size}dispose(){for(let e of this.regions.values())e.dispose()}draw(e,t,n){let r=this.regionOf(t,n),i=this.terrain.at(t,n);return i?r.quads.set(e,{cx:t,cz:n,quads:this.mesher.mesh(i)}):r.quads.delete(e),r}regionOf(e,t){let n=Eh(e,t),r=this.regions.get(n);return r||(r=new kh(Math.floor(e/Ch),Math.floor(t/Ch),this.terrain.height),this.regions.set(n,r),this.group.add(r.mesh)),r}finish(e){if(e.quads.size)e.rebuild();else{e.dispose(),this.group.remove(e.mesh);for(let[t,n]of this.regions)n===e&&this.regions.delete(t)}}};function jh(e,t,n){let r=[0,0],i=1/0;for(let a of e){let e=(a[0]+.5-t)**2+(a[1]+.5-n)**2;e<i&&([r,i]=[a,e])}return r}var Mh=/[\s,;:–-]+$/u;function Nh(e,t){if(t(e))return e;let n=t=>`${e.slice(0,t).replace(Mh,``)}…`;for(let r=e.lastIndexOf(` `);r>0;r=e.lastIndexOf(` `,r-1))if(t(n(r)))return n(r);let r=[...e.split(` `,1)[0]];for(;r.length>1&&!t(`${r.join(``)}…`);)r.pop();return`${r.join(``)}…`}var Ph=72,Fh=2,Ih=(e,t)=>e.left<t.right&&t.left<e.right&&e.top<t.bottom&&t.top<e.bottom,Lh=({left:e,top:t,right:n,bottom:r},i,a)=>({left:e+i,right:n+i,top:t+a,bottom:r+a});function Rh(e,t,n){for(let r of[0,t-e.left-Fh,t-e.right+Fh]){let t=Lh(e,r,0);for(let e=n.filter(e=>Ih(t,e));e.length;e=n.filter(e=>Ih(t,e)))t=Lh(t,0,Math.min(...e.map(({top:e})=>e))-Fh-t.bottom);if(e.bottom-t.bottom<=Ph)return t}return null}var zh=80,Bh=2.05,Vh=[1.6,.9],Hh=60,Uh=`system-ui, sans-serif`,Wh=class{canvas;spots=[];pen;point=new G;constructor(e){this.canvas=e,this.pen=e.getContext(`2d`)}resize(e,t,n){this.canvas.width=e*n,this.canvas.height=t*n,this.pen.setTransform(n,0,0,n,0,0)}update(e,t,n,r,i,a){let{clientWidth:o,clientHeight:s}=this.canvas;this.find(e,t,n,o,s),this.pen.clearRect(0,0,o,s),this.pen.textAlign=`center`,this.pen.textBaseline=`middle`;let c=[...a],l=({body:e})=>e.id===r?0:e.saying?1:2;for(let e of[...this.spots].sort((e,t)=>l(e)-l(t)).slice(0,zh)){let t=i!==null&&!Vh.some(t=>i.sees(n.position,{...e.feet,y:e.feet.y+t}));t&&e.body.id!==r||(this.pen.globalAlpha=t?.45:1,this.write(e,e.body.id===r,c))}this.pen.globalAlpha=1}near(e,t,n){let r=null,i=n;for(let n of this.spots){let a=Math.hypot(n.x-e,n.y-t);a<i&&([r,i]=[n,a])}return r?.body.id??null}find(e,t,n,r,i){this.spots=[];for(let a=0;a<e.length;a++){let{x:o,y:s,z:c}=t[a],l=this.point.set(o,s+Bh,c).distanceTo(n.position);if(this.point.project(n),this.point.z>1||Math.abs(this.point.x)>1.1||Math.abs(this.point.y)>1.1)continue;let u={body:e[a],depth:l,feet:{x:o,y:s,z:c},x:(this.point.x+1)/2*r,y:(1-this.point.y)/2*i};this.spots.push(u)}this.spots.sort((e,t)=>e.depth-t.depth)}write({body:e,x:t,y:n},r,i){let{pen:a}=this,o=e.saying&&Kh(e.saying.text);a.font=`${r?600:500} 12px ${Uh}`;let s=pr(e),c=a.measureText(s).width/2+6,l={left:t-c,right:t+c,top:n-18,bottom:n},u=r||!i.some(e=>Ih(l,e))?l:o?Rh(l,t,i):null;u&&(i.push(u),this.pill(u,r?`rgba(255, 212, 107, .95)`:`rgba(28, 27, 24, .62)`),a.fillStyle=r?`#2a2417`:e.agent.connected?`#fffdf6`:`#b9b5aa`,a.fillText(s,(u.left+u.right)/2,u.bottom-8.5),o&&this.bubble(o,t,u.top-4,i))}bubble(e,t,n,r){let{pen:i}=this;i.font=`italic 13px ${Uh}`;let a=i.measureText(e).width/2+9,o=Rh({left:t-a,right:t+a,top:n-22,bottom:n},t,[...r,...Gh(this.canvas.clientWidth)]);o&&(r.push(o),this.pill(o,`rgba(253, 250, 242, .94)`),i.fillStyle=`#2b2a26`,i.fillText(e,(o.left+o.right)/2,o.bottom-10.5))}pill({left:e,top:t,right:n,bottom:r},i){this.pen.fillStyle=i,this.pen.beginPath(),this.pen.roundRect(e,t,n-e,r-t,6),this.pen.fill()}},Gh=e=>[{left:-1/0,right:0,top:-1/0,bottom:1/0},{left:e,right:1/0,top:-1/0,bottom:1/0}],Kh=e=>Nh(e.replace(/\s+/g,` `).trim(),e=>[...e].length<=Hh),qh=1500,Jh=2e3,Yh=new Yc({uniforms:{...Em,uSize:{value:1}},transparent:!0,depthWrite:!1,blending:2,vertexShader:`
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
  `}),Xh=class{points=new Nc(new zs,Yh);at=-1/0;constructor(){this.points.frustumCulled=!1,this.points.renderOrder=2}update(e,t,n){if(Yh.uniforms.uSize.value=t,this.points.visible=Em.uNight.value>.05,!this.points.visible||n-this.at<qh)return;this.at=n;let r=[...e.chunks.values()].flatMap(t=>t.lamps(e.looks)).slice(0,Jh);this.points.geometry.dispose(),this.points.geometry=new zs,this.points.geometry.setAttribute(`position`,new ws(new Float32Array(r.flatMap(({x:e,y:t,z:n})=>[e,t,n])),3)),r.length||(this.points.visible=!1)}},Zh=40,Qh=.035;function $h(){let e=[],t=[];for(let n=0;n<Zh;n++){let r=n/Zh*2*Math.PI;for(let t of[.62,.72])e.push(Math.sin(r)*t,.06,Math.cos(r)*t);let i=(n+1)%Zh;t.push(2*n,2*n+1,2*i+1,2*n,2*i+1,2*i)}return tg(e,t)}function eg(e=[1,1,1]){let t=[],n=[];for(let r=0;r<3;r++)for(let[i,a]of[[0,0],[0,1],[1,0],[1,1]]){let o=t.length/3;for(let n=0;n<8;n++){let o=[0,0,0],[s,c]=[(r+1)%3,(r+2)%3];o[r]=(n&1)*e[r],o[s]=i*e[s]+(n&2?Qh:-.035),o[c]=a*e[c]+(n&4?Qh:-.035),t.push(...o)}for(let e of[[0,1,3,2],[4,5,7,6],[0,1,5,4],[2,3,7,6]]){let[t,r,i,a]=e.map(e=>o+e);n.push(t,r,i,t,i,a,t,i,r,t,a,i)}}return tg(t,n)}function tg(e,t){let n=new zs;return n.setAttribute(`position`,new ws(new Float32Array(e),3)),n.setIndex(t),n}var ng=class{group=new Lo;ring=new lc($h(),Nm);frame=new lc(eg(),Nm);box=new lc(eg(),Nm);enclosed;constructor(){for(let e of[this.ring,this.frame,this.box])e.frustumCulled=!1,e.visible=!1,this.group.add(e)}update(e,t){this.ring.visible=t!==void 0,t&&this.ring.position.set(t.x,t.y,t.z);let n=e?.aim??null;this.frame.visible=n!==null,n&&this.frame.position.set(n[0],n[1],n[2])}enclose(e){if(this.box.visible=e!==void 0,!e||e===this.enclosed)return;let{low:t,high:n}=e;this.enclosed=e,this.box.position.set(t[0],t[1],t[2]),this.box.geometry.dispose(),this.box.geometry=eg([n[0]-t[0]+1,n[1]-t[1]+1,n[2]-t[2]+1])}},rg=40,ig=400,ag=class{gl;cost=0;fence=null;began=0;restUntil=0;constructor(e){this.gl=e}ready(e){if(this.fence){let{gl:t}=this;if(t.getSyncParameter(this.fence,t.SYNC_STATUS)!==t.SIGNALED&&!t.isContextLost())return!1;t.deleteSync(this.fence),this.fence=null;let n=e-this.began;this.cost+=(n-this.cost)*.1,this.restUntil=n>rg?e+Math.min(n,ig):e}return e>=this.restUntil}drawn(e){this.began=e,this.fence=this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0),this.gl.flush()}get slow(){return this.cost>rg}forget(){this.cost=0}},og=6,sg=2200,cg=new Yc({uniforms:Em,vertexShader:`
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
  `}),lg=class{mesh;constructor(){let e=new zs,t=[[-1,-1],[-1,1],[1,1],[1,-1]].flatMap(([e,t])=>[e*sg,0,t*sg]);e.setAttribute(`position`,new ws(new Float32Array(t),3)),e.setIndex([0,1,2,0,2,3]),this.mesh=new lc(e,cg),this.mesh.frustumCulled=!1}update(e){this.mesh.position.set(Math.round(e.x/3)*3,og,Math.round(e.z/3)*3)}},ug=1200,dg=class{still;points;constructor(e){this.still=e;let t=Float32Array.from({length:ug*3},Math.random),n=new zs;n.setAttribute(`position`,new ws(t,3)),this.points=new Nc(n,Pm),this.points.frustumCulled=!1}update(e,t,n){this.points.visible=!this.still&&(e===`STORM`||e===`COLD`),Pm.uniforms.uMiddle.value.copy(t),Pm.uniforms.uSnow.value=+(e===`COLD`),Pm.uniforms.uSize.value=n/700}},fg=2,pg=.5,mg=16,hg=30,gg=1,_g=250,vg=6e3,yg=300,bg=2.2,xg=`.going-on, .views, .tools, .small-map, .tour, .notice, .past-banner`,Sg=300,Cg=.5;q.enabled=!1;var wg=class{canvas;overlay;viewer;camera;renderer;pace;scene=new Go;figures=new Sh;marks=new ng;borders=new Hm;chips=new nh;paper=new lg;lamps=new Xh;labels;map;small=null;coveredBy=[];coveredAt=-1/0;smallAt=0;precipitation;haze=new J;ray=new G;ground=null;world=null;arrived=!1;wasMap=!1;weathered=!1;lies={COLD:0,STORM:0};still;drawnAt=0;ratio=Math.min(devicePixelRatio,fg);resized=new ResizeObserver(()=>this.resize());keep=null;steady=!1;constructor(e,t,n){this.canvas=e,this.overlay=t,this.viewer=n,this.still=matchMedia(`(prefers-reduced-motion: reduce)`).matches,this.camera=new Zm(this.still),this.precipitation=new dg(this.still),this.labels=new Wh(t),this.map=new om(n),e.addEventListener(`pointermove`,({offsetX:e,offsetY:t})=>{this.map.pointer={x:e,y:t}}),e.addEventListener(`pointerleave`,()=>{this.map.pointer=null}),this.renderer=new np({canvas:e,antialias:!0,powerPreference:`high-performance`}),this.renderer.outputColorSpace=da,this.pace=new ag(this.renderer.getContext()),this.scene.add(this.figures.group,this.marks.group,this.borders.mesh,this.chips.mesh,this.lamps.points,this.paper.mesh,this.precipitation.points),this.resized.observe(e)}dispose(){this.resized.disconnect(),this.show(null),this.renderer.dispose(),this.renderer.forceContextLoss()}pick(e,t){return this.viewer.isMap?this.map.pick(e,t):this.labels.near(e,t,hg)??this.thingAt(e,t)}thingAt(e,t){let{world:n}=this.viewer;if(!n)return null;let{clientWidth:r,clientHeight:i}=this.canvas,a=this.camera.lens.position,o=this.ray.set(2*e/r-1,1-2*t/i,.5).unproject(this.camera.lens).sub(a).normalize(),s=n.terrain.hit(a,o,this.camera.horizon);if(!s)return null;let c=`@${s.x},${s.y},${s.z}`;return pp.includes(n.looks.palette[s.block])?c:lp(this.viewer.buildings,s.x,s.y,s.z)?.id??c}chosenBuilding(){let{see:e,papers:t}=this.viewer;return e&&ip(e)?t.buildings.find(({id:t})=>t===e):void 0}covered(e){if(e-this.coveredAt<Sg)return this.coveredBy;this.coveredAt=e;let{left:t,top:n}=this.canvas.getBoundingClientRect(),r=[...this.canvas.parentElement?.querySelectorAll(xg)??[]].map(e=>e.getBoundingClientRect());return this.coveredBy=r.map(({left:e,top:r,right:i,bottom:a})=>({left:e-t,top:r-n,right:i-t,bottom:a-n})),this.coveredBy}picture(){return new Promise(e=>{this.keep=e})}copy(){let e=document.createElement(`canvas`);[e.width,e.height]=[this.canvas.width,this.canvas.height];let t=e.getContext(`2d`);for(let n of[this.canvas,this.overlay])t.drawImage(n,0,0,e.width,e.height);return e}drawSmallInto(e){this.small=e?.getContext(`2d`)??null,e&&this.small&&(e.width=e.height=336,this.small.setTransform(fg,0,0,fg,0,0))}frame(e){if(this.viewer.place!==`world`||!this.pace.ready(e))return;let t=e-this.drawnAt;this.drawnAt=e,this.draw(e,t),this.pace.drawn(e)}draw(e,t){let{world:n,isMap:r}=this.viewer;n!==this.world&&this.show(n),r!==this.wasMap&&(this.wasMap=r,r?this.camera.enterMap():this.camera.leaveMap()),this.adapt();let i=n?.crowd.list??[],a=i.map(t=>t.pose(e)),o=i.findIndex(e=>e.id===this.viewer.attention.watched);if(n&&this.aim(n,a[o]),this.camera.update(t),n&&r){let{x:t,z:r}=this.camera.target;this.map.draw(this.labels.pen,n,a,Qp(t,r,this.camera.distance,this.canvas.clientWidth,this.canvas.clientHeight),e)}else if(this.light(n,e,t),this.ground?.update(this.camera.target.x,this.camera.target.z,Math.min(t,yg)),this.paper.update(this.camera.target),this.figures.update(i,a,e,this.camera.distance),this.marks.update(i[o],a[o]),this.marks.enclose(this.chosenBuilding()),n&&(this.chips.update(this.still?[]:i,a,n.terrain,e),this.lamps.update(n.terrain,this.canvas.height,e)),n&&this.borders.update(this.viewer.society?.lands??[],this.viewer.see,n.terrain,e),this.precipitation.update(n?.tick?.weather??``,this.camera.target,this.canvas.height),this.renderer.render(this.scene,this.camera.lens),this.tell(),this.labels.update(i,a,this.camera.lens,this.viewer.attention.watched,n?.terrain??null,this.covered(e)),this.keep?.(this.copy()),this.keep=null,n&&this.small&&e-this.smallAt>_g){this.smallAt=e;let{x:t,z:r}=this.camera.target,i=this.camera.distance*.6,o=Qp(t,r,Math.max(60,this.camera.distance)*bg,168,168);this.map.drawSmall(this.small,n,a,o,this.camera.side,i,e)}}tell(){let{dataset:e}=this.canvas,{x:t,z:n}=this.camera.target,r={draws:String(this.renderer.info.render.calls),behind:String(this.ground?.behind??0),at:`${Math.round(t)},${Math.round(n)}`,whole:String(this.viewer.world?.terrain.wholeAround(t,n,3)??0)};Object.keys(r).some(t=>e[t]!==r[t])&&Object.assign(e,r)}show(e){this.ground?.dispose(),this.ground&&this.scene.remove(this.ground.group),this.ground=e&&new Ah(e.terrain),this.ground&&this.scene.add(this.ground.group),this.world=e}aim(e,t){let{camera:n,viewer:r}=this;if(!this.steady){if(r.attention.opensAt&&(n.lookAt(r.attention.opensAt.x,n.wished.y,r.attention.opensAt.z),n.cut(),r.attention.opensAt=null),r.attention.following&&t)n.lookAt(t.x,t.y+gg,t.z),this.arrived||n.cut(),this.arrived=!0;else{let t=e.terrain.groundAt(n.wished.x,n.wished.z);t!==void 0&&(n.wished.y=t+1+gg)}}}light(e,t,n){let r=e?.tick,i=Rt(r?.time_of_day??.5,r?.weather??`CLEAR`);Dm(i),this.renderer.setClearColor(this.haze.setRGB(...i.haze)),Em.uSeconds.value=this.still?0:t/1e3%3600;let a=this.weathered?1-Math.exp(-n/vg):1;this.weathered||=r!=null;for(let[e,t]of[[Em.uFrost,`COLD`],[Em.uWet,`STORM`]])this.lies[t]+=(+(r?.weather===t)-this.lies[t])*a,e.value=this.lies[t];Em.uFocus.value=this.camera.distance,Em.uReach.value.set(this.camera.horizon*Cg,this.camera.horizon)}resize(){let{clientWidth:e,clientHeight:t}=this.canvas;e&&t&&(this.renderer.setPixelRatio(this.ratio),this.renderer.setSize(e,t,!1),this.labels.resize(e,t,Math.min(devicePixelRatio,fg)),this.camera.lens.aspect=e/t)}adapt(){(!this.ground||this.ground.behind>mg)&&this.pace.forget(),!(!this.pace.slow||this.ratio<=pg)&&(this.ratio=Math.max(pg,this.ratio*.75),this.viewer.coarseAt||(this.viewer.coarseAt=performance.now(),this.viewer.tellsCoarse=dp(`thorp-coarser`)),this.pace.forget(),this.resize())}},Tg=`0.1`,Eg=500,Dg=5e3,Og=8e3,kg=2e3,Ag=1013,jg=class extends Error{},Mg=class extends Error{};async function Ng(){let e=await a(`admin/v1/observer/bootstrap`,{signal:AbortSignal.timeout(Og)});if(e.ok)return e.json();let{details:t}=await e.json().catch(()=>({details:e.statusText}));throw e.status===401&&d(),e.status===401||e.status===403?new Mg(String(t)):new jg(String(t))}async function Pg(){let e=await a(`v1/status`,{signal:AbortSignal.timeout(Og)});if(!e.ok)return null;let{state:t,details:n=``,founding:r}=await e.json();return r?{state:`founding`,founding:r}:t===`opening`?{state:`opening`,why:n}:null}var Fg=class{listener;socket=null;wish=null;wake=()=>{};since=null;constructor(e){this.listener=e,addEventListener(`online`,()=>this.retry())}subscribe(e){this.wish=e,this.socket?.readyState===WebSocket.OPEN&&this.send()}retry(){this.wake()}async runOther(e){for(;;){let t=await qt(x(e));if(t?.state===`ready`){this.listener.begin(await Ng()),this.listener.link({state:`live`}),this.listener.beginAt(t.begins_tick??t.first_tick??1);return}let n=e.startsWith(`match:`)?`match`:`run`,r=t?.why??`there is no such ${n} here`,i=!t||t.state===`refused`,a=new Date().toTimeString().slice(0,5);this.listener.link(i?{state:`away`,why:`This ${n} has no world to show: ${r}.`,since:a}:{state:`opening`,why:r}),await this.sleep(kg)}}async runFilm(){let[e,t]=await Promise.all([Ng(),a(`about`)]);this.listener.begin(e),this.listener.link({state:`live`}),this.listener.beginAt((await t.json()).first)}async run(){for(let e=Eg;;e=Math.min(e*1.6,Dg)){let t=`The server cannot be reached.`,n=null;try{let n=await Pg();if(n){this.listener.link(n),e=Eg,await this.sleep(kg);continue}this.listener.begin(await Ng());let{opened:r,code:i}=await this.follow();r&&(e=Eg),this.since=null,i===Ag&&(t=`As many watch as this server has room for.`,e=Dg)}catch(e){e instanceof Mg&&(n=e.message),e instanceof jg&&(t=`The server says: ${e.message}.`)}this.since??=new Date().toTimeString().slice(0,5),this.listener.link(n===null?{state:`away`,why:t,since:this.since}:{state:`locked`,why:n}),await this.sleep(e)}}sleep(e){return new Promise(t=>{this.wake=t,setTimeout(t,e)})}follow(){let e=c(`admin/v1/observer/ws`);return e.protocol=e.protocol.replace(`http`,`ws`),new Promise(t=>{let n=!1,r=new WebSocket(e);this.socket=r,r.onopen=()=>{n=!0,this.send(),this.listener.link({state:`live`})},r.onmessage=({data:e})=>this.listener.hear(JSON.parse(e)),r.onclose=({code:e})=>t({opened:n,code:e})})}send(){this.wish&&this.socket?.send(JSON.stringify({type:`SUBSCRIBE`,protocol_version:Tg,...this.wish}))}},Ig=12e3,Lg=300,Rg=2e4,zg=`thorp-visited`,Bg=60,Vg=4,Hg=class{viewer;changed;on=!1;why=``;cutAt=-1/0;shown=[];kind=``;people=[];asking=!1;idleSince=null;constructor(e,t){this.viewer=e,this.changed=t;for(let e of[`pointerdown`,`wheel`,`keydown`,`click`])addEventListener(e,e=>this.end(e),{capture:!0});let n=matchMedia(`(prefers-reduced-motion: reduce)`).matches;dp(zg)&&!C().query&&e.place===`world`&&!n&&(this.idleSince=1/0)}toggle(){this.on=!this.on,this.why=``,this.cutAt=-1/0,this.changed()}end(e){this.idleSince=null,!(!this.on||e instanceof KeyboardEvent&&e.key.toLowerCase()===`t`)&&(this.on=!1,this.changed())}async step(e){let{viewer:t}=this;if(this.idleSince!==null&&t.world?.tick&&!document.hidden&&(this.idleSince=Math.min(this.idleSince,e),e-this.idleSince>Rg&&(this.idleSince=null,this.on||this.toggle())),!this.on||this.asking||e-this.cutAt<Ig||t.place!==`world`||document.hidden)return;this.asking=!0;let{tick:n}=t.time,r=(await t.time.marks(n-Lg,n,1))?.marks??[];if(this.asking=!1,!this.on)return;this.cutAt=e;let i=this.choose(r);i?this.show(i):this.visitSomebody(e),this.changed()}choose(e){let t=e.filter(e=>!this.shown.includes(Wg(e))&&this.placeOf(e)!==null).filter(({kind:e})=>e!==this.kind),n=t.filter(({refs:e})=>!e.some(e=>this.people.includes(e)));return[...n.length?n:t].sort((e,t)=>t.weight-e.weight||t.tick-e.tick)[0]}placeOf({text:e,refs:t,kind:n,tick:r}){let{viewer:i}=this,a=n===`built`&&i.buildings.find(({completed_tick:e})=>e===r);if(a)return{building:a};let o=t.filter(e=>S(e)&&i.world?.crowd.get(e)).map(t=>({id:t,at:e.indexOf(i.nameOf(t))})).filter(({at:e})=>e>=0).sort((e,t)=>e.at-t.at)[0];return o?{person:o.id}:null}show(e){let{viewer:t}=this,n=this.placeOf(e);if(this.why=e.text,this.kind=e.kind,this.shown=[Wg(e),...this.shown].slice(0,Bg),n?.building){let{x:e,z:r}=sp(n.building);t.goTo(e,r)}else n?.person&&this.meet(n.person)}meet(e){this.people=[e,...this.people.filter(t=>t!==e)].slice(0,Vg),this.viewer.along(e)}visitSomebody(e){let{viewer:t}=this,n=t.world?.crowd.list.filter(({agent:e})=>e.connected)??[],r=n.filter(({id:e})=>!this.people.includes(e)),i=[r.filter(({agent:e})=>e.work_task),r,n].find(e=>e.length>0)??[],a=i[Math.floor(e/Ig%Math.max(1,i.length))];this.kind=``,this.why=a?Ug(a.agent):`Nothing happens`,a&&this.meet(a.id)}},Ug=e=>e.intent&&fr(e)===`standing`?`${e.name}: “${e.intent}”`:`${e.name}, ${fr(e)}`,Wg=({tick:e,number:t})=>`${e}.${t}`,Gg=e=>e.toLocaleString(`en-GB`),Kg=240,qg=56;function Jg({viewer:e,second:t,attach:n,compareMoments:r,end:i}){let[a,o]=E(t.share),s=oe(null),c=oe(null);F(()=>n(s.current,c.current),[t]);let{time:l}=e,{comparison:u}=t,d=t.isShared,f=u?.split.tick??null,p=t.time.tape.state!==null&&l.tick>t.time.liveTick,m=t.why||t.time.problem||(t.world?``:`loading…`);return I(`div`,{class:`compare beside`,id:`beside`,style:{"--share":`${a}%`},"data-shared":d,"data-ready":t.world!==null,"data-label":u?.there.label,children:[I(`div`,{class:`kept`,"data-hidden":!t.isShown,children:[I(`canvas`,{class:`second`,"aria-label":`The other run`,ref:s}),I(`canvas`,{class:`overlay`,"aria-hidden":`true`,ref:c})]}),I(`input`,{type:`range`,min:`0`,max:`100`,value:a,"aria-label":`Where the two runs meet`,"aria-valuetext":`${a} % of this run`,onInput:({currentTarget:e})=>{t.share=Number(e.value),o(t.share)}}),I(`p`,{class:`side-name here`,children:[I(`small`,{children:`here`}),` `,I(`strong`,{children:Zg(u?.here,`this run`)}),` `,I(Yg,{side:u?.here})]}),I(`p`,{class:`side-name there`,role:`status`,children:[I(`small`,{children:`there`}),` `,I(`strong`,{children:Zg(u?.there,`the other run`)}),u?.there.changed&&I(`bdi`,{children:[` `,u.there.changed]}),` `,I(Yg,{side:u?.there}),m&&I(`em`,{children:[` `,m]}),p&&I(`em`,{children:[` `,t.hasGrown?`has come to`:`ended with`,` tick `,Gg(t.time.liveTick)]}),t.notice&&I(`em`,{id:`beside-notice`,children:[` `,I(`bdi`,{children:t.notice})]})]}),I(`p`,{class:`moment-shown`,children:[I(`strong`,{children:V(l.tick,l.dayTicks)}),` `,I(`small`,{children:d?`both are one up to here`:`tick ${Gg(l.tick)}`}),` `,I(`button`,{type:`button`,id:`to-split`,disabled:f===null,onClick:()=>Qg(e,(f??0)+1),children:`To the split`}),` `,I(`button`,{type:`button`,id:`two-moments`,onClick:r,children:`Two moments`}),` `,I(`button`,{type:`button`,id:`end-beside`,onClick:i,children:[`End `,I(`kbd`,{children:`C`})]})]})]})}function Yg({side:e}){return!e||e.verified===null?null:I(`em`,{class:`verified`,"data-verified":e.verified,children:e.verified?`verified`:`not verified: ${e.unverified}`})}function Xg({second:e,isThere:t}){let n=t?e.comparison?.there:e.comparison?.here;return I(`p`,{class:`of-run ${t?`there`:`here`}`,id:`of-run`,children:[I(`small`,{children:t?`there`:`here`}),` `,I(`strong`,{children:Zg(n,t?`the other run`:`this run`)}),n?.changed&&I(`bdi`,{children:[` `,n.changed]})]})}var Zg=(e,t)=>e?.label??t;function Qg(e,t){e.time.playing=!1,e.time.jump(t)}function $g({viewer:e,second:t}){let{comparison:n,why:r}=t,i=t=>()=>{let n=e.world?.crowd.list.find(({agent:e})=>e.name===t.who);n&&e.along(n.id),Qg(e,t.tick)};if(!n)return I(`section`,{class:`differences`,id:`differences`,"aria-label":`What differs`,children:[I(`h2`,{children:`What differs`}),I(`p`,{class:`none`,children:r||`Looking where the two runs part…`})]});let{here:a,there:o,split:s,differences:c,note:l,society:u}=n,d=[a,o].filter(e=>e.changed);return I(`section`,{class:`differences`,id:`differences`,"aria-label":`What differs`,"data-split":s.tick,children:[I(`h2`,{children:`What differs`}),I(`p`,{class:`split`,children:e_(s.text)}),d.map(e=>I(`p`,{children:[I(`b`,{children:[e===a?`Changed here`:`Changed there`,`:`]}),` `,I(`bdi`,{children:e.changed})]})),I(`ol`,{children:c.map(t=>I(`li`,{"data-side":t.side,"data-kind":t.kind,children:I(`button`,{type:`button`,onClick:i(t),children:[I(`bdi`,{children:t.text}),` `,I(`small`,{children:V(t.tick,e.time.dayTicks)})]})}))}),l&&I(`p`,{class:`none`,id:`differences-note`,children:e_(l)}),I(`h3`,{children:[`The society `,I(`small`,{class:`key here`,children:Zg(a,`here`)}),` `,I(`small`,{class:`key there`,children:Zg(o,`there`)})]}),I(`div`,{class:`curves`,children:u.curves.map(t=>I(n_,{curve:t,of:u,split:s.tick,viewer:e,labels:[a.label,o.label]}))}),u.note&&I(`p`,{class:`none`,id:`curves-note`,children:e_(u.note)})]})}var e_=e=>`${e.charAt(0).toUpperCase()}${e.slice(1)}.`,t_=(e,t)=>e===`gini`?t.toFixed(2):Gg(Math.round(t));function n_({curve:{key:e,title:t,here:n,there:r},of:i,split:a,viewer:o,labels:s}){let c=[...n,...r].map(([,e])=>e),l=Math.max(...c,e===`gini`?.01:1),u=Math.max(1,i.last-i.first),d=e=>(e-i.first)/u*Kg,f=e=>e.map(([e,t])=>`${d(e).toFixed(1)},${(qg-t/l*qg).toFixed(1)}`).join(` `),[p,m]=[n,r].map(t=>t_(e,t.at(-1)?.[1]??0)),h=s[0]===s[1]?[`here`,`there`]:s;return I(`figure`,{"data-curve":e,children:[I(`figcaption`,{children:[t,` `,I(`small`,{children:[I(`b`,{class:`here`,children:p}),` · `,I(`b`,{class:`there`,children:m})]})]}),I(`svg`,{viewBox:`-2 -3 244 62`,preserveAspectRatio:`none`,role:`img`,"aria-label":`${t}: ${p} ${h[0]}, ${m} ${h[1]}`,onClick:e=>{let t=e.currentTarget.getBoundingClientRect(),n=Math.max(0,Math.min(1,(e.clientX-t.left)/t.width));Qg(o,Math.round(i.first+n*u))},children:[a!==null&&a>=i.first&&I(`line`,{class:`split`,x1:d(a),x2:d(a),y1:-3,y2:59,children:I(`title`,{children:`the split`})}),I(`polyline`,{class:`there`,points:f(r)}),I(`polyline`,{class:`here`,points:f(n)})]})]})}function r_({viewer:e,kept:t,end:n}){let[r,i]=E(50),a=oe(null);_e(()=>a.current.replaceChildren(t.picture),[t]);let{time:o}=e,{tick:s,dayTicks:c,loading:l,problem:u}=o,d=e=>()=>o.jump(Math.max(1,t.tick-e));return I(`div`,{class:`compare`,id:`compare`,style:{"--share":`${r}%`},children:[I(`div`,{class:`kept`,"data-live":t.wasLive,ref:a}),I(`input`,{type:`range`,min:`0`,max:`100`,value:r,"aria-label":`Where the two moments meet`,"aria-valuetext":`${r} % of ${V(s,c)}`,onInput:({currentTarget:e})=>i(Number(e.value))}),I(`p`,{class:`moment-shown`,children:[I(`strong`,{children:V(s,c)}),` `,I(`small`,{children:u??(l?`loading…`:`tick ${s}`)}),` `,I(`button`,{type:`button`,id:`hour-before`,onClick:d(Math.round(c/24)),children:`an hour before`}),` `,I(`button`,{type:`button`,id:`day-before`,disabled:t.tick<=c,onClick:d(c),children:`a day before`})]}),I(`p`,{class:`moment-kept`,children:[I(`strong`,{children:V(t.tick,c)}),` `,I(`small`,{children:[`tick `,t.tick]}),` `,I(`button`,{type:`button`,onClick:n,children:[`End `,I(`kbd`,{children:`C`})]})]})]})}var i_=[`society`,`people`,`talk`],a_=18,o_=27,s_=10,c_=14,l_=4,u_=9,d_=3,f_=44,p_=8,m_=60,h_=90,g_=70,__=6,v_=[1/12,1/4,1/2,1,2,3,6,12,24,72,240,720],y_=e=>v_.find(t=>t/e>=g_)??v_.at(-1),b_=e=>Tp(`--${e}`);function x_(e,t,n,r,i){e.beginPath(),t===`people`?e.arc(n,r,i*.85,0,2*Math.PI):t===`talk`?(e.moveTo(n,r-i),e.lineTo(n+i,r+i*.8),e.lineTo(n-i,r+i*.8)):(e.moveTo(n,r-i),e.lineTo(n+i,r),e.lineTo(n,r+i),e.lineTo(n-i,r)),e.fill()}function S_(e,t,n,r,i,{pointer:a,apart:o}){let{clientWidth:s,clientHeight:c}=e,l=e.getContext(`2d`);if(!l||!s||!c||!i.tape.state)return;let u=Math.min(devicePixelRatio,2);(e.width!==Math.round(s*u)||e.height!==Math.round(c*u))&&(e.width=Math.round(s*u),e.height=Math.round(c*u)),l.setTransform(u,0,0,u,0,0),l.clearRect(0,0,s,c);let d=i.dayTicks,f=Math.max(1,t.to-t.from),p=e=>(e-t.from)/f*s,m=c-c_;w_(l,b_(`night`),t,d,p,m),T_(l,b_,i,t,p,m),r&&E_(l,b_(`work`),n,r,p,m);let h=D_(l,b_,t,d,s,p,m,c);o&&h.push(...C_(l,o,p,s,m,h));for(let e of r?.marks??[]){let n=i_.indexOf(e.sort);n<0||e.tick<t.from||e.tick>t.to||(l.fillStyle=b_(e.sort),x_(l,e.sort,p(e.tick),o_+n*s_,l_))}j_(l,b_,O_(r?.marks??[],t,a,f/s*7),p,s,h),M_(l,b_(`past`),i,p,m),N_(l,i.isPast?b_(`past`):b_(`ink`),Math.max(__,Math.min(p(i.tick),s-__)),m,i.loading)}function C_(e,{split:t,ticks:n},r,i,a,o){e.fillStyle=b_(`past`);for(let t of n){let n=r(t);n>=0&&n<=i&&e.fillRect(n-1,a-u_,2,u_)}let s=r(t+1);if(s<0||s>i)return[];e.fillRect(s-1,0,2,a),e.font=`600 11px system-ui, sans-serif`,e.textBaseline=`middle`;let c=e.measureText(`split`).width,l=A_(s,c,i,o);return l?(e.fillText(`split`,l[0],a_/2),[[l[0],l[0]+c]]):[]}function w_(e,t,{from:n,to:r},i,a,o){e.fillStyle=t;for(let t=Math.floor(n/i-1)*i+i*.75;t<r;t+=i){let n=Math.max(a(t),0),r=a(t+i/2);r>n&&r-n<4e3&&e.fillRect(n,a_,r-n,o-a_)}}function T_(e,t,n,r,i,a){let o=[],s=Math.max(0,r.from);for(let[e,t]of n.tape.state.playable)e>s+1&&o.push({from:s,to:Math.min(e,r.to)}),s=Math.max(s,t);e.strokeStyle=t(`edge`),e.lineWidth=1;for(let t of o){let[n,r]=[Math.max(0,i(t.from)),i(t.to)];e.save(),e.beginPath(),e.rect(n,a_,r-n,a-a_),e.clip(),e.beginPath();for(let t=n-a;t<r;t+=7)e.moveTo(t,a),e.lineTo(t+a,0);e.stroke(),e.restore()}}function E_(e,t,n,r,i,a){let o=r.sorts.indexOf(`work`),s=Math.max(1,...r.counts.map(e=>e[o])),c=(n.to-n.from+1)/r.counts.length,l=a-o_-20-l_-4;e.fillStyle=t,e.globalAlpha=.55,r.counts.forEach((t,r)=>{if(!t[o])return;let u=i(n.from+r*c),d=Math.max(1.5,Math.sqrt(t[o]/s)*l);e.fillRect(u,a-d,Math.max(1,i(n.from+(r+1)*c)-u-1),d)}),e.globalAlpha=1}function D_(e,t,{from:n,to:r},i,a,o,s,c){let l=[];e.textBaseline=`middle`,e.font=`600 12px system-ui, sans-serif`;let u=a*i/(r-n),d=Math.max(1,Math.ceil(60/u));for(let c=Math.max(0,Math.floor(n/i));c*i<=r;c++){if(c%d)continue;let n=o(c*i);e.fillStyle=t(`edge`),e.fillRect(n,0,1,s),e.fillStyle=t(`ink`);let r=e.measureText(`Day ${c+1}`).width,u=Math.max(4,n+5+r>a?n-5-r:n+5);u<(l.at(-1)?.[1]??0)||(e.fillText(`Day ${c+1}`,u,a_/2),l.push([u,u+r]))}e.fillStyle=t(`edge`),e.fillRect(0,s,a,1),e.fillStyle=t(`pale`),e.font=`11px system-ui, sans-serif`,e.textAlign=`center`;let f=y_((r-n)*24/i/a)*i/24;if(f<i)for(let t=Math.ceil(n/f)*f;t<=r;t+=f){let n=o(t);n>18&&n<a-18&&e.fillText(Bt(t%i/i),n,c-c_/2+1)}return e.textAlign=`left`,l}function O_(e,{from:t,to:n},r,i){if(r!==null){let t=e.filter(({tick:e})=>Math.abs(e-r)<=i).sort((e,t)=>t.weight-e.weight);if(t.length)return t.slice(0,1)}return e.filter(({tick:e})=>e>=t&&e<=n).sort((e,t)=>t.weight-e.weight)}function k_(e,t,n,r){let i=Math.max(4,Math.min(e+4,n-t-4));for(let[e,t]of[...r].sort(([e],[t])=>e-t))i<t+p_&&i+p_>e&&(i=t+p_);let a=Math.min(n-4,...r.filter(([e])=>e>i).map(([e])=>e-p_));return i-e>m_||a-i<Math.min(t,h_)?null:[i,Math.min(a,i+t)]}function A_(e,t,n,r){let i=[...r].sort(([e],[t])=>e-t),a=[4,...i.map(([,e])=>e+p_)],o=[...i.map(([e])=>e-p_),n-4],s=([t,n])=>Math.max(t-e,e-n,0),c=a.map((e,t)=>[e,o[t]]).filter(([e,n])=>n-e>=Math.min(t,h_)).sort((e,t)=>s(e)-s(t))[0];if(!c)return null;let l=Math.max(c[0],Math.min(e+4,c[1]-t));return[l,Math.min(c[1],l+t)]}function j_(e,t,n,r,i,a){e.font=`600 11px system-ui, sans-serif`,e.textBaseline=`middle`;let o=n.length===1,s=d_;for(let c of n){if(!s)break;let n=o?Math.floor(i/8):f_,l=Nh(c.text,e=>e.length<=n),u=e.measureText(l).width,d=k_(r(c.tick),u,i,a)??(o?A_(r(c.tick),u,i,a):null);if(!d)continue;let f=Nh(l,t=>e.measureText(t).width<=d[1]-d[0]+1);a.push(d),s--,e.fillStyle=t(`accent`),e.fillRect(r(c.tick),2,1,25),e.fillText(f,d[0],a_/2)}}function M_(e,t,n,r,i){if(n.isPast){e.fillStyle=t,e.globalAlpha=.6;for(let[t,a]of n.tape.loaded)e.fillRect(r(t),i,Math.max(2,r(a+1)-r(t)),2);e.globalAlpha=1}}function N_(e,t,n,r,i){e.fillStyle=e.strokeStyle=t,e.lineWidth=1.5,e.fillRect(n-1,0,2,r),e.beginPath(),e.moveTo(n-__,0),e.lineTo(n+__,0),e.lineTo(n+__,8),e.lineTo(n,14),e.lineTo(n-__,8),e.closePath(),i?e.stroke():e.fill()}function P_(e,t){let n=e.trim().toLowerCase().replace(/^tick\s*/,``).replaceAll(`,`,``);if(/^\d{3,12}$/.test(n))return Number(n);let r=/^(?:day|d)?\s*(\d{1,6})(?:\s+(\d{1,2})(?::(\d{2}))?)?$/.exec(n);if(!r)return null;let[i,a,o]=[Number(r[1]),Number(r[2]??0),Number(r[3]??0)];return i<1||a>24||o>59?null:Math.floor((i-1)*t+(a*60+o)/1440*t)}function F_(e,t){let n=e.split(/\s*(?:-|–|\bto\b|…)\s*/).map(e=>P_(e,t));return n.some(e=>e===null)||n.length>2||n.length===2&&n[0]>=n[1]?null:n}var I_={.25:`¼`,.5:`½`},L_=[`Last hours`,`Today`,`All`],R_=6,z_=50,B_=120,V_=6,H_=7,U_=100,W_=12,G_={BracketLeft:`[`,BracketRight:`]`},K_=e=>e.toLocaleString(`en-GB`);function q_(e,t,n){let r=Math.floor(e*24/t),[i,a]=[Math.floor(r/24),r%24],o=[i&&`${i} ${i===1?`day`:`days`}`,a&&`${a} ${a===1?`hour`:`hours`}`].filter(Boolean);return o.length?`${o.join(` and `)} ago`:`${Math.round(e/n)} s ago`}var J_=class{viewer;changed;range=`All`;view={from:0,to:1};marks=null;of={from:0,to:0};pointer=null;complaint=``;timer=0;shownTick=-1;constructor(e,t){this.viewer=e,this.changed=t,addEventListener(`keydown`,e=>this.key(e))}settle(e){let{time:t}=this.viewer,{liveTick:n,dayTicks:r}=t,{state:i}=t.tape,a=t.isOver?1/0:i?.missing[0]?.first??1/0,o=Math.min(i?.playable[0]?.[0]??0,a,n);this.range===`All`?this.view={from:o,to:Math.max(n,o+U_)}:this.range===`Today`?this.view={from:Math.max(o,n-r),to:n}:this.range===`Last hours`&&(this.view={from:Math.max(o,n-r*R_/24),to:n});let s=t.tick;if(this.range===`Zoomed`&&t.isPast&&s!==this.shownTick&&(s<this.view.from||s>this.view.to)){let e=(this.view.to-this.view.from)/2;this.view={from:Math.max(0,s-e),to:Math.max(0,s-e)+2*e}}this.shownTick=s;let{from:c,to:l}=this.view,u=Math.max(z_,(l-c)/100);(!this.marks||Math.abs(this.of.from-c)>u||Math.abs(this.of.to-l)>u)&&this.ask(e)}ask(e){this.timer||=window.setTimeout(async()=>{let t={...this.view},n=await this.viewer.time.marks(t.from,Math.min(t.to,this.viewer.time.liveTick),Math.max(1,Math.min(400,Math.floor(e/V_))));this.timer=0,n&&(this.marks=n,this.of={from:t.from,to:Math.min(t.to,this.viewer.time.liveTick)},this.changed())},B_)}zoom(e,t){let{from:n,to:r}=this.view,{liveTick:i}=this.viewer.time,a=Math.max(U_,Math.min((r-n)*e,i+U_)),o=t-(t-n)/(r-n)*a;this.look(o,o+a)}look(e,t){let n=Math.max(0,-e)-Math.max(0,t-Math.max(this.viewer.time.liveTick,t-e));this.range=`Zoomed`,this.view={from:e+n,to:t+n},this.changed()}typed(e){let{time:t}=this.viewer,n=F_(e,t.dayTicks);this.complaint=n?``:`Write a tick (13500), a day and hour (day 2 5:30), or a range of two (12000-13000).`,n?.length===2?this.look(n[0],Math.max(n[0]+U_,n[1])):n&&(t.playing=!1,t.jump(n[0])),this.changed()}choose(e){this.range=e,this.changed()}near(e,t){return(this.marks?.marks??[]).filter(n=>Math.abs(n.tick-e)<=H_*t).sort((t,n)=>Math.abs(t.tick-e)-Math.abs(n.tick-e)||n.weight-t.weight)[0]}toMark(e,t){this.viewer.time.toMark(e,t?null:this.viewer.see)}key(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||![`world`,`society`].includes(this.viewer.place)||!this.viewer.time.tape.state)return;let{target:t}=e;if(t instanceof HTMLInputElement||t instanceof HTMLSelectElement||e.key===` `&&t instanceof HTMLButtonElement)return;let{time:n}=this.viewer,r={" ":()=>n.toggle(),",":()=>n.step(-1),".":()=>n.step(1),"[":()=>this.toMark(-1,e.altKey),"]":()=>this.toMark(1,e.altKey),Home:()=>n.jump(n.tape.state?.playable[0]?.[0]??1),End:()=>n.goLive()},i=r[e.key]??r[G_[e.code]??``];i&&(e.preventDefault(),i())}};function Y_(e){let{comparison:t}=e??{};return!t||t.split.tick===null?null:{split:t.split.tick,ticks:t.differences.map(({tick:e})=>e)}}var X_=({of:e})=>I(`svg`,{viewBox:`0 0 20 20`,"aria-hidden":`true`,children:I(`path`,{d:e})});function Z_({viewer:e,lane:t,second:n}){let r=oe(null),i=oe(null),{time:a}=e,{tick:o,isPast:s,liveTick:c,dayTicks:l}=a,{state:u}=a.tape,d=r.current?.clientWidth??0;u&&t.settle(d||800),F(()=>{r.current&&a.tape.state&&S_(r.current,t.view,t.of,t.marks,a,{pointer:t.pointer,apart:Y_(n)})});let f=t.marks?.marks??[],p=fe(()=>[...f].sort((e,t)=>t.weight-e.weight).slice(0,W_).sort((e,t)=>e.tick-t.tick).map(e=>I(`li`,{children:I(`button`,{type:`button`,onClick:()=>{a.playing=!1,a.jump(e.tick)},children:[V(e.tick,l),`: `,e.text]})})),[t.marks,l]);if(!u)return null;let{from:m,to:h}=t.view,g=Math.max(1,h-m),_=e=>{let t=r.current.getBoundingClientRect();return m+(e.clientX-t.left)/t.width*g},v=g/(d||1),y=t.pointer===null?void 0:t.near(t.pointer,v),b=f.filter(e=>Math.abs(e.tick-o)<=5).sort((e,t)=>t.weight-e.weight)[0],x=[V(o,l).replace(`d`,`D`),s?b?.text:`live`].filter(Boolean).join(`, `),S=e=>Math.round(e)>=c?a.goLive():a.jump(Math.round(e)),C=n=>{let r=i.current;r.setPointerCapture(n.pointerId);let a=_(n),o=n.clientX,s=e=>{if(n.shiftKey){let n=(o-e.clientX)/(d||1)*g;o=e.clientX,t.look(t.view.from+n,t.view.to+n)}else S(_(e))},c=()=>{r.removeEventListener(`pointermove`,s),r.removeEventListener(`pointerup`,c),r.removeEventListener(`pointercancel`,c)};if(r.addEventListener(`pointermove`,s),r.addEventListener(`pointerup`,c),r.addEventListener(`pointercancel`,c),n.shiftKey)return;let l=t.near(a,v);S(l?.tick??a),l&&e.choose(ge(l.tick,`${l.number}`))},w=e=>{e.preventDefault(),t.zoom(Math.exp(Math.max(-80,Math.min(80,e.deltaY))*.006),_(e))},T=e=>{let n={ArrowLeft:-1,ArrowDown:-1,ArrowRight:1,ArrowUp:1}[e.key];if(n)S(o+n*Math.max(1,Math.round(g/200)));else if(e.key===`PageDown`||e.key===`PageUp`)t.toMark(e.key===`PageUp`?1:-1,!0);else return;e.preventDefault(),e.stopPropagation()},E=e.current.state===`away`,D=s?a.problem?`gone`:a.loading?`loading`:a.playing?`the past`:`paused`:E?`away`:`live`;return I(`section`,{class:`lane`,"data-time":s?`past`:`live`,"aria-label":`Time`,children:[I(`div`,{class:`clock`,children:[I(`p`,{children:[I(`strong`,{id:`when`,children:V(o,l).replace(`d`,`D`)}),` `,I(`small`,{children:[`tick `,I(`span`,{id:`at`,children:K_(o)})]}),I(`span`,{class:`pill`,id:`time`,"data-mood":s?`past`:E?`bad`:`good`,"data-state":D,children:D})]}),I(`div`,{class:`transport`,role:`group`,"aria-label":`Play`,children:[I(`button`,{type:`button`,title:`To the founding (Home)`,"aria-label":`To the founding`,onClick:()=>a.jump(u.playable[0]?.[0]??1),children:I(X_,{of:`M5 4v12M16 4l-8 6 8 6z`})}),I(`button`,{type:`button`,id:`before`,title:`Event before ([)`,"aria-label":`Event before`,onClick:()=>t.toMark(-1,!1),children:I(X_,{of:`M12 4l-6 6 6 6`})}),I(`button`,{type:`button`,id:`play`,class:`play`,title:`Play, pause (Space)`,"aria-label":s&&!a.playing?`Play`:`Pause`,onClick:()=>a.toggle(),children:I(X_,{of:s&&!a.playing?`M6 4l10 6-10 6z`:`M7 4v12M13 4v12`})}),I(`button`,{type:`button`,id:`after`,title:`Next event (])`,"aria-label":`Next event`,disabled:!s,onClick:()=>t.toMark(1,!1),children:I(X_,{of:`M8 4l6 6-6 6`})}),I(`button`,{type:`button`,id:`live`,title:`Live (End)`,"aria-label":`Live`,disabled:!s,onClick:()=>a.goLive(),children:I(X_,{of:`M15 4v12M4 4l8 6-8 6z`})}),I(`select`,{id:`speed`,"aria-label":`Speed`,value:String(s?a.speed:1),onChange:({currentTarget:e})=>a.setSpeed(Number(e.value)),children:_r.map(e=>I(`option`,{value:String(e),children:[I_[e]??e,`×`]}))})]})]}),I(`div`,{class:`track`,id:`track`,ref:i,role:`slider`,tabIndex:0,"aria-label":`Time`,"aria-valuemin":Math.round(m),"aria-valuemax":Math.round(h),"aria-valuenow":o,"aria-valuetext":x,onPointerDown:C,onWheel:w,onKeyDown:T,onPointerMove:e=>{t.pointer=_(e),r.current&&S_(r.current,t.view,t.of,t.marks,a,{pointer:t.pointer,apart:Y_(n)})},onPointerLeave:()=>{t.pointer=null},onDblClick:e=>{let n=t.near(_(e),v)?.tick??_(e);t.look(n-g/2,n+g/2)},title:y?`${V(y.tick,l)}: ${y.text}`:void 0,children:I(`canvas`,{ref:r,"aria-hidden":`true`})}),I(`div`,{class:`legend`,children:[I(`ul`,{"aria-hidden":`true`,children:[I(`li`,{"data-sort":`society`,children:`◆ society`}),I(`li`,{"data-sort":`people`,children:`● people`}),I(`li`,{"data-sort":`talk`,children:`▲ talk`}),I(`li`,{"data-sort":`work`,children:`▮ work`})]}),I(`div`,{role:`group`,"aria-label":`Which part of time`,children:[L_.map(e=>I(`button`,{type:`button`,"aria-pressed":t.range===e,onClick:()=>t.choose(e),children:e})),I(`form`,{onSubmit:e=>{e.preventDefault(),t.typed(e.currentTarget.querySelector(`input`).value)},children:I(`input`,{id:`typed`,"aria-label":`Go to a tick, a day and hour, or a range of two`,placeholder:`day 2 5:30…`,title:t.complaint||`a tick, a day and hour, or a range: 12000-13000`,"aria-invalid":t.complaint!==``,maxLength:60})})]}),t.complaint&&I(`small`,{role:`status`,id:`complaint`,children:t.complaint}),u.done<a.tape.possible&&I(`small`,{id:`making`,role:`status`,children:[Math.round(u.done/a.tape.possible*100),` % of the past is made`]})]}),I(`ol`,{class:`marks-list`,"aria-label":`What mattered`,children:p})]})}function Q_({viewer:e}){let{time:t}=e;if(!t.isPast)return null;let n=ee(),r=t.tape.state?.tick_rate_hz??5,i=n===null?`${q_(t.liveTick-t.tick,t.dayTicks,r)}; the world lives on`:`of the match ${n}, which ended ${V(t.liveTick,t.dayTicks)}`;return I(`div`,{class:`past-banner`,id:`past`,role:`status`,children:[t.problem?I(`strong`,{children:t.problem}):I(P,{children:[I(`strong`,{children:[`You are looking at `,V(t.tick,t.dayTicks)]}),` `,I(`span`,{children:[i,t.loading?`. Loading…`:``]})]}),n===null?I(`button`,{type:`button`,id:`back-to-live`,onClick:()=>t.goLive(),children:[`Back to live `,I(`kbd`,{children:`End`})]}):I(`a`,{class:`button`,id:`back-to-match`,href:ye(`matches`,null,``,n),children:`Its moves`})]})}function $_({viewer:e,tick:t,children:n}){return e.time.tape.state?I(`a`,{class:`see moment`,href:de(t),title:`${V(t,e.time.dayTicks)}, tick ${t}: go there`,onClick:n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.time.playing=!1,e.time.jump(t))},children:I(`time`,{children:n})}):I(`time`,{children:n})}function Z({viewer:e,id:t,children:n}){return t?I(`a`,{class:`see`,href:ye(e.place,t,C().query,e.part),onClick:n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.open(t))},children:n||I(`bdi`,{children:e.nameOf(t)})}):I(P,{children:`nobody`})}function ev({viewer:e,text:t}){let n=Xn(t,t=>e.nameOf(t)),r=n.length>1||n[0]?.text!==t;return I(`q`,{class:`says`,title:r?t:void 0,children:I(`bdi`,{children:r?n.map(t=>t.see?I(Z,{viewer:e,id:t.see,children:t.text}):t.text):t})})}function tv({viewer:e}){let[t,n]=E(!1);return I(`button`,{type:`button`,class:`copy-link`,onClick:()=>void navigator.clipboard?.writeText(e.linkHere()).then(()=>n(!0),()=>{}),children:t?`Copied`:`Copy link`})}function nv({viewer:e,sentence:t}){return I(`p`,{children:t.map(t=>typeof t==`string`?t:`intent`in t?I(ev,{viewer:e,text:t.intent}):I(Z,{viewer:e,id:t.see,children:t.text}))})}function rv({items:e}){let t=Object.entries(e);return t.length?I(`span`,{class:`goods`,children:t.map(([e,t])=>I(`span`,{class:`chip`,"data-item":e,children:[I(`i`,{style:{background:Gn(e)}}),en(e,t)]}))}):I(P,{children:`nothing`})}var iv=120,av=class extends re{shouldComponentUpdate(e){return e.of!==this.props.of}render(){return this.props.make()}};function ov({viewer:e,sorts:t,toggle:n}){let r=e.society?.day_ticks??6e3,i=vn(e.chronicle.lines(t,iv)),a=oe({society:e.society,revision:0});a.current.society!==e.society&&(a.current={society:e.society,revision:a.current.revision+1});let o=`${location.href} ${r} ${e.time.tape.state!==null} ${a.current.revision}`;return I(`section`,{class:`chronicle`,"aria-labelledby":`events-title`,children:[I(`div`,{class:`heading`,children:[I(`h2`,{id:`events-title`,children:`Lately`}),I(`div`,{class:`sorts`,role:`group`,"aria-label":`Which events`,children:sn.map(e=>I(`button`,{type:`button`,"aria-pressed":t.includes(e),onClick:()=>n(e),children:e}))})]}),I(`ol`,{id:`events`,tabIndex:0,"aria-labelledby":`events-title`,children:[i.map(t=>I(av,{of:`${o} ${t.tick} ${t.which} ${t.count} ${t.others} ${t.who} ${t.did}`,make:()=>I(`li`,{"data-sort":t.sort,children:[I($_,{viewer:e,tick:t.tick,children:V(t.tick,r).split(`, `)[1]}),I(`span`,{children:[t.see?I(Z,{viewer:e,id:t.see,children:I(`bdi`,{class:`who`,children:t.who})}):I(`bdi`,{class:`who`,children:t.who}),t.others>0&&` and ${t.others} ${t.others>1?`others`:`other`}`,` `,I(Z,{viewer:e,id:ge(t.tick,t.which),children:I(`span`,{class:`did`,children:t.did})}),t.count>1&&I(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&I(ev,{viewer:e,text:t.quote})]})]})},t.key)),!i.length&&I(`li`,{class:`none`,children:`No events yet.`})]})]})}var sv=3,cv=2,lv=[`No`,`One`,`Two`,`Three`,`Four`,`Five`,`Six`,`Seven`,`Eight`,`Nine`,`Ten`,`Eleven`,`Twelve`],uv=e=>lv[e]??String(e);function dv(e,t,n){let r=t.filter(({agent:e})=>e.connected),i=e?[...pv(e),...mv(e),...hv(e),...gv(e,r)]:[],a=r.filter(({agent:e})=>e.intent),o=[...2*a.length<r.length||!a.length?yv(r):[],..._v(a,n?1:sv)],s=i.length>0||!e?[]:[[`Nothing is asked for.`]];return[...i.slice(0,3),...s,...n?[fv(n)]:[],...o]}function fv({speaker:e,by:t,against:n,isSettled:r,said:i}){return[{see:t,text:``},r?` has made peace with `:` has a quarrel with `,{see:n,text:``},`. `,{see:e,text:``},` says: `,{intent:i}]}function*pv({event:e,day_ticks:t}){if(!e)return;let n=e.center?[` around `,{see:`@${e.center.join(`,`)}`,text:`${e.center[0]}, ${e.center[2]}`}]:[];yield[{see:e.id,text:e.title},` is on until ${V(e.ends_tick,t)}`,...n,`. ${e.description}`]}function*mv({laws:e,day_ticks:t}){for(let n of e){let e={see:n.id,text:n.title};n.status===`VOTING`?yield[`A vote is open on `,e,` until ${V(n.vote_ends_tick,t)}; ${n.voted} of ${n.members} have voted.`]:n.status===`NOTICE`&&(yield[`A law is proposed: `,e,`. The vote opens on ${V(n.notice_ends_tick,t)}.`])}}function*hv(e){let t=e.contracts.filter(({state:e})=>e===`OPEN`);if(!t.length)return;let n=new Set(e.organisations.map(({id:e})=>e)),r=t.find(({poster:e})=>n.has(e))??t[0],i=t.length-1,a=i?[` ${uv(i)} more ${i===1?`contract is`:`contracts are`} open.`]:[];yield[{see:r.poster,text:``},` wants `,{see:r.id,text:on(r)},` for ${tn(r.reward)}.`,...a]}function*gv(e,t){let n=e.lands.find(({stage:e})=>e>0);n&&(yield[`The upkeep of `,{see:n.id,text:``},n.stage>1?` was missed: it is open to all.`:` is late.`]);let r=t.filter(({agent:e})=>e.hunger<=cv);r.length&&(yield[{see:r[0].id,text:``},r.length>1?` and ${r.length-1} more have nothing left to eat.`:` has nothing left to eat.`])}function _v(e,t){let n=new Map;for(let t of e){let{intent:e=``}=t.agent;n.set(e,[...n.get(e)??[],t])}let r=[...n].sort((e,t)=>t[1].length-e[1].length).slice(0,t).flatMap(([e,t],n)=>[n?` `:``,t.length===1?{see:t[0].id,text:``}:uv(t.length),t.length===1?` says: `:` say: `,{intent:e}]);return r.length?[r]:[]}var vv=new Set([`idle`,`standing`,`asleep`]);function yv(e){if(!e.length)return[[`Nobody is here.`]];let t=new Map;for(let n of e){let e=fr(n.agent);t.set(e,[...t.get(e)??[],n])}let n=[...t].filter(([e])=>!vv.has(e)).sort((e,t)=>t[1].length-e[1].length).slice(0,3);return n.length?[[...n.flatMap(([e,t],n)=>[n?`, `:``,t.length===1?{see:t[0].id,text:``}:n?uv(t.length).toLowerCase():uv(t.length),` ${t.length===1?`is`:`are`} ${e}`]),`.`]]:[[`Everyone rests.`]]}var bv=5,xv=2,Sv=`ELECTION`,Cv=(e,t)=>e.filter(e=>e.tick<=t).sort((e,t)=>t.tick-e.tick)[0],wv={called:`opens`,open:`ends`,decided:`is held again`};function*Tv(e,t){for(let{id:t,status:n,notice_ends_tick:r,vote_ends_tick:i}of e.laws)n===`NOTICE`&&(yield{tick:r,see:t,before:`The vote on `,after:` opens`}),n===`VOTING`&&(yield{tick:i,see:t,before:`The vote on `,after:` ends`});if(t){let{next_tick:e,office:n,election_state:r}=t;yield{tick:e,see:Sv,before:`The `,text:`election of the ${n||`mayor`}`,after:` ${wv[r]}`}}let{event:n}=e;n&&(yield{tick:n.ends_tick,see:n.id,before:``,after:` ends`});let r=e.contracts.filter(({state:e})=>e===`ACCEPTED`).sort((e,t)=>e.deadline_tick-t.deadline_tick).slice(0,xv);for(let e of r)yield{tick:e.deadline_tick,see:e.id,before:``,text:M(on(e)),after:` due`}}function Ev(e,t,n){return e?[...Tv(e,Cv(t,n))].filter(e=>e.tick>n).sort((e,t)=>e.tick-t.tick).slice(0,bv):[]}function Dv(e,t){let n=Math.max(1,Math.round(e/t));if(n<90)return`in ${n} s`;let r=Math.round(n/60);return r<90?`in ${r} min`:`in ${Math.round(r/60)} h`}var Ov=2e4;function kv({viewer:e,hands:t,now:n}){let{folded:r}=t,i=oe(null),a=oe(!1),{world:o,society:s}=e;if(!o?.tick)return null;let c=e.time.past.world!==null,l=`${s!==null} ${c&&Math.floor(24*e.time.tick/e.time.dayTicks)}`;return(!i.current||n-i.current.at>Ov||l!==i.current.of)&&!a.current&&(i.current={at:n,of:l,sentences:dv(s,o.crowd.list,Av(e))}),I(`section`,{class:`going-on`,id:`going-on`,role:`status`,"aria-label":`What is going on`,onPointerEnter:()=>{a.current=!0},onPointerLeave:()=>{a.current=!1},children:[I(`button`,{type:`button`,class:`label`,"aria-expanded":!r,onClick:()=>{t.folded=!r},children:[`What `,c?`was`:`is`,` going on`]}),I(`a`,{class:`see`,href:ye(`story`,null),onClick:t=>{t.preventDefault(),e.go(`story`)},children:`the story so far`}),!r&&!c&&I(`small`,{class:`what`,children:`Thorp is a small world in which AI agents live, work, trade and make laws. You watch; anybody's agent may join.`}),!r&&i.current?.sentences.map(t=>I(nv,{viewer:e,sentence:t})),!r&&I(jv,{viewer:e})]})}function Av({chronicle:e,time:t}){let{quarrel:n}=e;return n&&n.tick<=t.tick&&t.tick-n.tick<=t.dayTicks/4?n:void 0}function jv({viewer:e}){let{society:t,time:n,papers:r,world:i}=e,a=Ev(t,r.elections,n.tick),o=i?.bootstrap.world_params.tick_rate_hz??5;return a.length?I(`div`,{id:`next`,children:[I(`p`,{class:`label`,children:`Next`}),I(`ul`,{children:a.map(({tick:t,see:r,before:i,text:a,after:s})=>I(`li`,{children:[I(`span`,{children:[i,I(Z,{viewer:e,id:r,children:a}),s]}),` `,I(`small`,{children:Dv(t-n.tick,o)})]}))})]}):null}var Mv=[[`/, Ctrl K`,`find a person, place, law or word`],[`1, 2, 3, 4`,`the world, its society, its story, matches`],[`W A S D, arrows`,`move over the ground`],[`Q, E`,`turn`],[`+, −, wheel, pinch`,`zoom in, zoom out`],[`drag`,`turn and tilt; with Shift or two fingers, move`],[`M, L`,`the map and back, its layers`],[`double-click`,`on the map: go there`],[`N, P`,`watch the next or the previous person`],[`click`,`watch the person that stands there; on the map, choose`],[`F`,`follow the watched person`],[`T`,`a tour: the camera goes to what is worth seeing; any key ends it`],[`G`,`fold what is going on`],[`Space`,`pause; play, pause the past`],[`, .`,`one tick back, one forth`],[`[ ]`,`the event before, the next one; of whom you look at, with Alt of all`],[`Home, End`,`the founding, live`],[`C`,`compare with an hour before, or with any moment of the lane`],[`Esc`,`close what is on top, then what you look at`],[`Tab`,`go to the lists; arrows move, Enter chooses`]];function Nv({viewer:e,close:t}){let{world:n,lateness:r,society:i,time:a}=e;return I(`section`,{class:`help`,"aria-label":`Keys`,children:[I(`dl`,{children:Mv.map(([e,t])=>I(`div`,{children:[I(`dt`,{children:e}),I(`dd`,{children:t})]}))}),I(`h2`,{children:`This server`}),I(`dl`,{children:[I(`div`,{children:[I(`dt`,{children:`seed`}),I(`dd`,{children:n?.bootstrap.world_params.seed??`–`})]}),I(`div`,{children:[I(`dt`,{children:`ticks a second`}),I(`dd`,{children:n?.bootstrap.world_params.tick_rate_hz??`–`})]}),I(`div`,{title:`Ticks that began late, and ticks that were skipped`,children:[I(`dt`,{children:`late`}),I(`dd`,{id:`late`,children:r?`${r.late}${r.skipped?`, ${r.skipped} skipped`:``}`:`–`})]}),I(`div`,{children:[I(`dt`,{children:`picture`}),I(`dd`,{children:e.coarseAt?`coarser, for this machine is slow`:`as fine as the screen`})]}),I(`div`,{children:[I(`dt`,{children:`past`}),I(`dd`,{children:a.tape.state?`kept since ${V(a.tape.state.playable[0]?.[0]??a.liveTick,a.dayTicks)}`:`not kept by this server`})]}),I(`div`,{children:[I(`dt`,{children:`book`}),I(`dd`,{children:i?.open_book?`open: pockets, chests and refusals are shown`:`closed: pockets, chests and refusals are private`})]})]}),I(`button`,{type:`button`,onClick:t,children:`Close`})]})}function Pv({load:e,with:t}){let[n,r]=E(`Looking…`);F(()=>{e().then(e=>r(()=>e),()=>r(`This part of the page did not come; load the page again.`))},[]);let i=n;return typeof i==`string`?I(`p`,{class:`none`,children:i}):I(i,{...t})}var Fv=15e3,Iv=6,Lv=250,Rv=[`threat`,`scarcity`,`hope`,`dread`],zv=(e,t=``)=>{let n=m(t);return n===t.toLowerCase()?we(e):`${we(e)}, ${n}`},Bv=e=>e.replace(/-\d+$/,``).replace(/^./,e=>e.toUpperCase());function Vv(e,t=Fv){let[n,r]=E(null);return F(()=>{if(e===null)return;let n=!1,i=async()=>{let t=document.hidden?null:await qt(e);t&&!n&&r({path:e,answer:t})};i();let a=setInterval(i,t);return()=>{n=!0,clearInterval(a)}},[e,t]),n?.path===e?n.answer:null}function Hv({viewer:e,one:t}){let n=e.society?.contracts.find(({id:e})=>e===t.contract);return n?I(P,{children:[I(Z,{viewer:e,id:n.id}),`: `,on(n),`, `,i(n.state).word,n.acceptor&&I(P,{children:[` `,`by `,I(Z,{viewer:e,id:n.acceptor})]})]}):t.contract?I(Z,{viewer:e,id:t.contract}):t.status===`executed`?I(P,{children:`it was done`}):I(`span`,{class:`refusal`,children:I(`bdi`,{children:t.detail||Ce(t.status)})})}function Uv({viewer:e,one:t,folded:n,day:r}){let i=t.status===`executed`,a=Rv.filter(e=>e in t.saw);return I(`article`,{class:`paper decision`,children:I(`details`,{open:!n,children:[I(`summary`,{children:[I(`h3`,{children:[I(`span`,{children:[Bv(t.actor),`: `,zv(t.type)]}),` `,I(`span`,{class:`pill`,"data-mood":i?`good`:`bad`,children:i?`done`:t.status===`failed`?`failed`:`refused`})]}),I(`small`,{children:[V(t.tick,r),I(`span`,{class:`brief`,children:[` `,`· `,I(Hv,{viewer:e,one:t})]})]})]}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`Saw`}),I(`dd`,{children:[a.length?a.map((e,n)=>I(P,{children:[n>0&&`, `,L(e),` `,Math.round(t.saw[e]*100),` %`]})):`a day that had passed`,` `,I(`i`,{class:`seen`,children:`seen`})]})]}),I(`div`,{children:[I(`dt`,{children:`Why`}),I(`dd`,{children:[I(`q`,{title:t.reason,children:I(`bdi`,{children:Se(t.reason)})}),` `,I(`i`,{class:`told`,children:`told`})]})]}),I(`div`,{children:[I(`dt`,{children:`Weighed`}),I(`dd`,{children:t.weighed.length?t.weighed.map(({type:e,target:t,priority:n,selected:r},i)=>I(P,{children:[i>0&&` · `,I(`span`,{title:t,children:zv(e)}),` `,r?I(`strong`,{children:n.toFixed(2)}):n.toFixed(2)]})):`priority ${t.priority.toFixed(2)} of 1; what else it weighed is its own`})]}),I(`div`,{children:[I(`dt`,{children:`Ordered`}),I(`dd`,{children:I(`span`,{title:t.command,children:zv(t.type,t.target)})})]}),I(`div`,{children:[I(`dt`,{children:`Came of it`}),I(`dd`,{children:I(Hv,{viewer:e,one:t})})]})]})]})})}function Wv({time:e},t){let n=e.past.world?Math.floor(e.tick/Lv+1)*Lv:null,r=Vv(`admin/v1/towns/${encodeURIComponent(t.id)}/decisions${n===null?``:`?before=${n}`}`);return r&&n!==null?r.filter(({tick:t})=>t<=e.tick):r}function Gv({viewer:e,org:t}){let n=Wv(e,t),r=e.society?.day_ticks??6e3;return n?.length?I(`div`,{id:`council`,children:n.slice(0,Iv).map((t,n)=>I(Uv,{viewer:e,one:t,folded:n>0,day:r},`${t.tick} ${t.actor}`))}):I(`p`,{class:`none`,children:n?`The council has ordered nothing yet.`:`Looking for its decisions…`})}function Kv({viewer:e,org:t}){let n=Vv(`${e.time.tape.of}series?what=treasury:${encodeURIComponent(t.id)}`),r=e.time.past.world?n?.filter(([t])=>t<=e.time.tick):n;if(!r||r.length<2)return null;let i=e.society?.day_ticks??6e3,[a,o]=[r[0][0],r[r.length-1][0]],s=Math.max(1,...r.map(([,e])=>e)),c=r.map(([e,t])=>`${(300*(e-a)/(o-a)).toFixed(1)},${(40-36*t/s).toFixed(1)}`).join(` `),l=r[r.length-1][1];return I(`figure`,{class:`series`,id:`treasury-line`,children:[I(`svg`,{viewBox:`0 0 300 44`,preserveAspectRatio:`none`,role:`img`,"aria-label":`worth ${l} at last, at most ${s}, since ${V(a,i)}`,children:I(`polyline`,{points:c})}),I(`figcaption`,{children:[I(`small`,{children:V(a,i)}),` `,I(`small`,{children:[`worth `,l,`, at most `,s]})]})]})}var qv=({of:e})=>I(`dl`,{class:`standing`,children:Rv.map(t=>{let n=e[t]??0;return I(`div`,{children:[I(`dt`,{children:L(t)}),I(`dd`,{class:`bar`,children:I(`i`,{style:{width:`${n*100}%`}})}),I(`dd`,{class:`figure`,children:[Math.round(n*100),` %`]})]})})}),Jv=3e3,Yv=5,Xv=8,Zv=e=>e===null?`–`:`${Math.round(e*100)} %`;function Qv({one:e}){let t=e.weighed.slice(0,Xv),n=e.weighed.length-t.length;return I(`ol`,{class:`weighed`,children:[t.map(({letter:t,name:n,probability:r})=>I(`li`,{"data-chosen":n===e.chose,children:[I(`kbd`,{children:t}),` `,Vt(n),I(`span`,{class:`bar`,children:I(`i`,{style:{width:`${(r??0)*100}%`}})}),I(`span`,{class:`figure`,children:Zv(r)})]},t)),n>0&&I(`li`,{class:`none`,children:[`and `,n,` more`]})]})}function $v({viewer:e,one:t,open:n,day:r}){return I(`details`,{class:`mind-decision`,open:n,children:[I(`summary`,{children:[I($_,{viewer:e,tick:t.tick,children:V(t.tick,r).split(`, `)[1]}),` `,I(`strong`,{children:Vt(t.chose)}),` `,I(`small`,{children:t.by===`rule`?`the only option`:Zv(t.weighed[0]?.probability??null)})]}),I(`h4`,{children:`Read`}),I(`pre`,{class:`read`,children:I(`bdi`,{children:t.read})}),I(`h4`,{children:`Weighed`}),I(Qv,{one:t}),I(`p`,{children:I(`small`,{children:[t.came?`Came of it: ${t.came}.`:`It is at it now.`,t.seconds?` The model took ${t.seconds.toFixed(1)} s.`:``]})})]})}function ey({viewer:e,id:t}){let n=Vv(`admin/v1/observer/minds/${t}`,Jv),r=e.society?.day_ticks??6e3;return n?I(`div`,{id:`mind`,children:[I(`h3`,{children:`What it read, chose and weighed`}),n.decisions===null?I(`p`,{children:`kept private here`}):I(P,{children:[I(`details`,{class:`mind-rules`,children:[I(`summary`,{children:`What it is always told`}),I(`pre`,{class:`read`,children:n.rules})]}),n.decisions.slice(0,Yv).map((t,n)=>I($v,{viewer:e,one:t,open:n===0,day:r},t.number)),!n.decisions.length&&I(`p`,{class:`none`,children:`It has not decided anything yet.`})]})]}):null}var ty=20,ny=e=>[{name:`hp`,word:`health`,value:e.hp,share:e.hp/ty},{name:`hunger`,word:`food`,value:e.hunger,share:e.hunger/ty},{name:`stamina`,word:`stamina`,value:Math.round(e.stamina_milli/10),share:e.stamina_milli/1e3}],ry=e=>({width:`${Math.round(100*Math.min(1,Math.max(0,e)))}%`}),iy=e=>ny(e).filter(({name:e})=>e!==`stamina`);function ay({agent:e}){let t=iy(e).map(({word:e,value:t})=>`${e} ${t}`).join(`, `);return I(`span`,{class:`vitals`,role:`img`,"aria-label":t,title:t,children:iy(e).map(({name:e,share:t})=>I(`span`,{class:`bar`,"data-vital":e,children:I(`i`,{style:ry(t)})}))})}function oy({agent:e}){return I(`dl`,{class:`vitals-table`,children:ny(e).map(({name:e,word:t,value:n,share:r})=>I(`div`,{children:[I(`dt`,{children:t}),I(`dd`,{class:`bar`,"data-vital":e,children:I(`i`,{style:ry(r)})}),I(`dd`,{class:`figure`,children:[n,e===`stamina`?` %`:` of ${ty}`]})]}))})}var sy=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),cy=function(e,t){return new URL(e,t).href},ly={},uy=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e=document.getElementsByTagName(`link`),i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?import.meta.resolve(e):new URL(e,import.meta.url).href}r=o(t.map(t=>{if(t=cy(t,n),t=s(t),t in ly)return;ly[t]=!0;let r=t.endsWith(`.css`);for(let n=e.length-1;n>=0;n--){let i=e[n];if(i.href===t&&(!r||i.rel===`stylesheet`))return}let i=document.createElement(`link`);if(i.rel=r?`stylesheet`:sy,r||(i.as=`script`),i.crossOrigin=``,i.href=t,a&&i.setAttribute(`nonce`,a),document.head.appendChild(i),r)return new Promise((e,n)=>{i.addEventListener(`load`,e),i.addEventListener(`error`,()=>n(Error(`Unable to preload CSS for ${t}`)))})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},dy=2e3,fy=4,py=8,my=10,hy=200,gy=12;function _y({viewer:e,task:t,rate:n}){let r=t.eta_ticks?Math.ceil(t.eta_ticks/n):0;return I(`p`,{class:`task`,children:[I(`strong`,{children:dr(t)}),` `,t.kind===`MOVE_TO`?`to`:`at`,` `,I(Z,{viewer:e,id:`@${t.target.join(`,`)}`,children:[t.target[0],`, `,t.target[2]]}),I(`span`,{class:`bar`,children:I(`i`,{style:{width:`${Math.round(t.progress*100)}%`}})}),r>0&&I(`small`,{children:[r,` s to go`]})]})}function vy(e){let[t,n]=E(null);return F(()=>{if(e===null)return;let t=!1,r=async()=>{let r=document.hidden?null:await qt(`admin/v1/observer/agents/${e}`);r&&!t&&n(r)};r();let i=setInterval(r,dy);return()=>{t=!0,clearInterval(i)}},[e]),t?.id===e?t:null}function yy(e,{id:t,pos:[n,,r]}){let{society:i,time:a}=e;if(!i)return null;let{organisations:o,laws:s,contracts:c}=i,l=o.find(({members:e})=>t in e),u=an(i,n,r)?.id??``,d=a.book.refusals().filter(({agent:e})=>e===t).map(({deed:e})=>e).reverse();return{id:t,joined_tick:0,organisation:l?.id??``,rank:l?.members[t]??``,reputation:a.past.standingOf(t)??{},achievements:a.past.achievementsOf(t),contracts:c.filter(({poster:e,acceptor:n,state:r})=>(r===`OPEN`||r===`ACCEPTED`)&&(e===t||n===t)).map(e=>e.id),laws:s.filter(({status:e,land_id:t})=>e===`ACTIVE`&&t===u).map(e=>e.id),land:u,carries:i.open_book?a.book.pocketOf(t):null,refused:i.open_book?d:null}}function by({anchor:e,terminal:t},{work_task:n,move_task:r}){return(([e,,t])=>[n,r].some(n=>n&&Math.max(Math.abs(n.target[0]-e),Math.abs(n.target[2]-t))<=gy))(e??t)}function xy({viewer:e,body:t}){let n=e.society?.contracts.find(({acceptor:e,state:n})=>e===t.id&&n===`ACCEPTED`);return n?I(`p`,{class:`because`,id:`because`,children:[by(n,t.agent)?`because of`:`has taken`,` `,I(Z,{viewer:e,id:n.id}),`,`,` `,on(n),` for `,I(Z,{viewer:e,id:n.poster}),` `,I(`i`,{class:`seen`,children:`seen`})]}):t.agent.hunger<my?I(`p`,{class:`because`,children:[`is hungry `,I(`i`,{class:`seen`,children:`seen`})]}):null}function Sy({about:e}){return I(`div`,{id:`achieved`,children:[I(`h3`,{children:`Achieved`}),Object.entries(e.achievements??{}).map(([e,t])=>{let n=Object.values(t).filter(Boolean).length;return I(`p`,{class:`achieved`,"data-group":e,children:[I(`strong`,{children:[e===`tech`?`Tech tree`:`With others`,` `,I(`small`,{children:[n,` of `,Object.keys(t).length]})]}),Object.entries(t).map(([e,t])=>I(`span`,{class:t?`done`:``,title:t>1?`${t} ×`:t?`done`:`not yet`,children:k(e)}))]})})]})}var Cy=async()=>(await uy(async()=>{let{AgentWhy:e}=await import(`./agent_why.js`);return{AgentWhy:e}},[],import.meta.url)).AgentWhy;function wy({viewer:e,body:t}){let{agent:r}=t,{isPast:i}=e.time,a=vy(i?null:r.id),o=i?e.time.past.world?yy(e,r):null:a,s=e.world.bootstrap.world_params.tick_rate_hz,c=e.society?.day_ticks??6e3,l=[r.work_task,r.move_task].filter(e=>e!==void 0),u=e.chronicle.saidBy(r.id),d=[...e.chronicle.of(r.id,py),...o?.refused?.slice(0,fy)??[]].sort((e,t)=>t.tick-e.tick);return I(`section`,{class:`thing`,id:`card`,"aria-label":`Person`,"data-agent":r.id,children:[I(`header`,{children:[I(`i`,{class:`portrait`,"data-away":!r.connected,style:{background:`hsl(${Math.round(t.hue*360)} 45% 55%)`},"aria-hidden":`true`}),I(`h2`,{children:[I(`bdi`,{children:r.name}),` `,I(`small`,{children:r.id}),o&&o.reputation.law<hy&&I(P,{children:[` `,I(`span`,{class:`pill`,"data-mood":`bad`,children:`wanted`})]})]}),I(`p`,{children:I(`small`,{children:[r.title&&I(`bdi`,{id:`title`,children:r.title}),r.title&&o?.organisation&&` · `,o?.organisation&&I(P,{children:[n(o.rank),` of `,I(Z,{viewer:e,id:o.organisation})]})]})}),I(`div`,{class:`buttons`,children:[e.attention.following||I(`button`,{type:`button`,id:`follow`,onClick:()=>e.choose(r.id),children:`Follow`}),e.isOther||I(P,{children:[I(tv,{viewer:e}),I(`a`,{class:`button`,href:ye(`story`,null,`with=${r.id}`),onClick:t=>{t.ctrlKey||t.metaKey||t.shiftKey||(t.preventDefault(),e.visit(t.currentTarget.href))},children:`In the story`})]}),I(`button`,{type:`button`,onClick:()=>e.choose(null),children:`Close`})]})]}),I(`div`,{children:[I(`h3`,{children:[i?`Then`:`Now`,` `,I(`small`,{children:[o?.land?I(P,{children:[`on `,I(Z,{viewer:e,id:o.land})]}):`in open country`,`, at `,r.pos.join(`, `)]})]}),l.length?l.map(t=>I(_y,{viewer:e,task:t,rate:s})):I(`p`,{class:`task`,children:I(`strong`,{children:fr(r)})}),I(xy,{viewer:e,body:t}),r.intent&&I(`p`,{class:`because`,id:`intent`,children:[I(ev,{viewer:e,text:r.intent}),` `,I(`i`,{class:`told`,children:`told`})]}),u&&I(`p`,{class:`because`,children:[u.did,` `,I(ev,{viewer:e,text:u.quote??``}),` `,I(`i`,{class:`told`,children:`told`}),` `,I(`small`,{children:I($_,{viewer:e,tick:u.tick,children:V(u.tick,c)})})]})]}),r.title===`language model`&&!i&&I(ey,{viewer:e,id:r.id}),I(oy,{agent:r}),I(`div`,{children:[I(`h3`,{children:`Carries`}),I(`p`,{id:`carries`,children:o?.carries?I(rv,{items:o.carries}):o?.carries===null?`kept private here`:`…`})]}),e.isOther||I(Pv,{load:Cy,with:{viewer:e,id:r.id}},r.id),I(`div`,{children:[I(`h3`,{children:`Lately`}),I(`ol`,{class:`lately`,children:[d.map(t=>I(`li`,{class:`code`in t?`refused`:``,children:[I($_,{viewer:e,tick:t.tick,children:V(t.tick,c).split(`, `)[1]}),`code`in t?I(`span`,{children:[`was refused: `,t.message||`no reason given`,t.hint&&`. ${M($n(t.hint))}`,` `,I(`small`,{children:t.code})]}):I(`span`,{children:[t.did,t.count>1&&I(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&I(P,{children:[` `,I(ev,{viewer:e,text:t.quote})]})]})]},`key`in t?t.key:`${t.tick} ${t.code}`)),!d.length&&I(`li`,{class:`none`,children:`Nothing that anyone noticed.`})]})]}),o&&I(P,{children:[I(`div`,{children:[I(`h3`,{children:`Standing`}),I(`dl`,{class:`standing`,children:Object.entries(o.reputation).map(([e,t])=>I(`div`,{children:[I(`dt`,{children:e}),I(`dd`,{class:`bar`,children:I(`i`,{style:{width:`${t/10}%`}})}),I(`dd`,{class:`figure`,children:Math.round(t/10)})]}))})]}),o.achievements&&I(Sy,{about:o}),I(`div`,{children:[I(`h3`,{children:`Bound by`}),I(`p`,{children:[[...o.laws,...o.contracts].map((t,n)=>I(P,{children:[n>0&&` · `,I(Z,{viewer:e,id:t})]})),!o.laws.length&&!o.contracts.length&&`nothing`]})]})]})]})}var Ty=`An agent is a program: it is shown what is around it five times a second, and asks for actions.`,Ey=[`Wren`,`Alder`,`Sorrel`,`Linnet`,`Hazel`,`Rowan`,`Teasel`,`Fern`],Dy=new Set([`Python`,`WebSocket`]),Oy={Python:(e,t)=>`import asyncio
from thorp.client import connect, say

async def main():
    async with connect("${e}", "${t}") as agent:
        print(await agent.do(say("Good morning.")))
        await asyncio.sleep(60)

asyncio.run(main())`,"A model":e=>`export THORP_MODEL_URL=http://127.0.0.1:11434/v1
thorp bots --agent model:NAME --count 1 \\
  --url ${e}`,MCP:e=>`{"mcpServers": {"thorp": {
  "command": "thorp", "args": ["mcp", "--url", "${e}"]}}}
// or, for assistants that speak HTTP
{"mcpServers": {"thorp": {"url": "${e.replace(/^ws/,`http`).replace(/v1\/ws$/,`mcp`)}"}}}`,WebSocket:(e,t)=>`// Node 22, or the console of a browser
const ws = new WebSocket("${e}");
ws.onopen = () => ws.send(JSON.stringify({
  type: "HELLO", protocol_version: "0.9", agent_name: "${t}",
  capabilities: { delta_voxels: false, max_queue: 8 } }));
ws.onmessage = ({ data }) => console.log(data.slice(0, 200));`};function ky({viewer:e,close:t}){let[n,r]=E(`Python`),[i,a]=E(``),o=e.live?.crowd.list??[],s=oe(new Set(o.map(({id:e})=>e))),c=oe(Ey.find(e=>!o.some(({agent:t})=>t.name===e))??`Wren`).current,l=oe(null),u=new URL(`v1/ws`,b);u.protocol=u.protocol.replace(`http`,`ws`),u.search=``;let d=o.find(({id:e,agent:t})=>t.connected&&!s.current.has(e)&&(t.name===c||!Dy.has(n))),f=e.papers.society?.organisations.some(({kind:e})=>e===`CITY`)??!1;return F(()=>l.current?.focus(),[]),F(()=>{d&&e.choose(d.id)},[d?.id]),I(`section`,{class:`join`,id:`join`,role:`dialog`,"aria-label":`Join with an agent`,tabIndex:-1,ref:l,children:[I(`h2`,{children:`Join with an agent`}),I(`p`,{children:[Ty,` The address is `,I(`code`,{children:u.href}),`, the protocol version 0.9.`]}),f&&I(`p`,{children:[`Greet people when you arrive. Within a few seconds somebody whispers you a job; do it, and you are invited, become a citizen and get a plot with your name on its sign. `,I(`code`,{children:`docs/tutorial.md`}),` has an agent of thirty lines that does all of it.`]}),I(`div`,{class:`sorts`,role:`group`,"aria-label":`In which way`,children:Object.keys(Oy).map(e=>I(`button`,{type:`button`,"aria-pressed":e===n,onClick:()=>r(e),children:e}))}),I(`pre`,{tabIndex:0,children:I(`code`,{children:Oy[n](u.href,c)})}),I(`p`,{class:`waiting`,role:`status`,"data-there":d!==void 0,children:d?I(P,{children:[I(`bdi`,{children:d.agent.name}),` has come.`]}):Dy.has(n)?`Waiting for you, ${c}…`:`Waiting for you…`}),![`localhost`,`127.0.0.1`,`[::1]`].includes(location.hostname)&&I(`p`,{children:I(`small`,{children:[`From another machine it needs a token of the role agent, which the keeper makes:`,` `,I(`code`,{children:`thorp token create --role agent`}),`.`]})}),I(`div`,{class:`buttons`,children:[I(`button`,{type:`button`,id:`copy`,onClick:()=>void navigator.clipboard?.writeText(Oy[n](u.href,c)).then(()=>a(n)),children:i===n?`Copied`:`Copy`}),I(`button`,{type:`button`,onClick:t,children:`Close`})]})]})}var Ay={land:`Land and borders`,buildings:`Buildings`,people:`People`,paths:`Paths`,activity:`Activity`,events:`Events`,works:`Works, contracts`,things:`Chests, boards, signs`,heights:`Heights`},jy=[`all`,`mined`,`placed`,`refused`];function My({viewer:e,hands:t}){return I(P,{children:[I(`div`,{class:`views`,role:`group`,"aria-label":`View`,children:[I(`button`,{type:`button`,"aria-pressed":!e.isMap,onClick:()=>e.isMap&&t.toggleMap(),children:`3D`}),I(`button`,{type:`button`,"aria-pressed":e.isMap,onClick:()=>e.isMap||t.toggleMap(),children:[`Map `,I(`kbd`,{class:`seldom`,children:`M`})]})]}),e.isMap?I(Ny,{viewer:e,hands:t}):I(Py,{hands:t})]})}function Ny({viewer:e,hands:t}){let n=t.counts();return I(`section`,{class:`layers`,id:`layers`,"aria-label":`Layers of the map`,children:[I(`button`,{type:`button`,class:`label`,"aria-expanded":t.layers,onClick:t.toggleLayers,children:[`Layers `,I(`kbd`,{class:`seldom`,children:`L`})]}),t.layers&&I(P,{children:[fp.map(t=>I(`label`,{children:[I(`input`,{type:`checkbox`,checked:e.layers.has(t),onChange:()=>e.toggleLayer(t)}),I(`span`,{children:Ay[t]}),` `,I(`small`,{children:n?.[t]})]},t)),e.layers.has(`activity`)&&I(`div`,{class:`heat`,children:[I(`i`,{}),I(`small`,{children:`1`}),` `,I(`small`,{children:t.hottest()})]}),e.layers.has(`activity`)&&I(`div`,{class:`deeds`,role:`group`,"aria-label":`Which activity`,children:jy.filter(t=>t!==`refused`||e.society?.open_book).map(t=>I(`button`,{type:`button`,"aria-pressed":e.deed===t,onClick:()=>e.countDeeds(t),children:t}))})]})]})}function Py({hands:e}){let t=oe(null);return F(()=>(e.drawSmallInto(t.current),()=>e.drawSmallInto(null)),[]),I(`button`,{type:`button`,class:`small-map seldom`,"aria-label":`The map`,title:`Map (M)`,onClick:e.toggleMap,children:[I(`canvas`,{id:`small-map`,ref:t}),I(`span`,{children:[`map `,I(`kbd`,{children:`M`})]})]})}var Fy=[`arrival`,`worth`,`standing`,`deeds`],Iy=(e,t)=>Object.entries(e).reduce((e,[n,r])=>e+r*(t[n]??1),0),Ly=({kept:e,built:t})=>e+t;function Ry(e,t){return t===`worth`?e.worth:t===`standing`?Math.round(e.standing/10):Ly(e)}var zy=(e,t,n)=>`${e} ${e===1?t:n}`;function By({sold:e,kept:t,earned:n,trades:r,carries:i},a){let o=e?e[1]*(a[e[0]]??1):0;return e&&o>=n?`sells ${$t(e[0])}: ${e[1]} in ${zy(r,`trade`,`trades`)}`:t?`kept ${zy(t,`contract`,`contracts`)}, which paid ${n}`:i?`carries ${en(...i)}`:`has nothing to show`}function Vy(e,t,n){let{kept:r,built:i,broken:a,trades:o}=e;return t===`worth`?By(e,n):[r&&`kept ${zy(r,`contract`,`contracts`)}`,a&&`broke ${zy(a,`contract`,`contracts`)}`,i&&`built ${zy(i,`thing`,`things`)}`,t===`standing`&&o&&`traded ${zy(o,`time`,`times`)}`].filter(Boolean).join(`, `)||`has done nothing that is on record`}function Hy(e,t){let n=e=>Ry(e,t)??-1;return[...e].sort((e,t)=>n(t)-n(e)||Number(e.id.slice(1))-Number(t.id.slice(1)))}var Uy=[{words:/^(who is )?(the )?(rich|wealth|worth)/,title:`Richest`,order:`worth`},{words:/^(who is )?(the )?poor/,title:`Poorest`,order:`worth`,last:!0},{words:/^(who is )?(the )?(best known|standing|respected|reput)/,title:`Of the best standing`,order:`standing`},{words:/^(who is )?(the )?(busi|hardest|deeds)/,title:`Busiest`,order:`deeds`}];function Wy(e,t,n){let r=Uy.find(({words:t})=>t.test(e));if(!r)return null;let{order:i,title:a,last:o}=r,s=Hy(t,i).filter(e=>Ry(e,i)!==null),c=o?s.at(-1):s[0];if(!c)return null;let l=Ry(c,i);return{id:c.id,text:`${a}: ${c.name}, ${l}, who ${Vy(c,i,n)}`}}var Gy=12,Ky=140,qy=3,Jy=({kind:e})=>e===`notice`||e===`story`;function Yy(e,t){let n=up(t,e.papers.buildings,e.time.tick),r=n.map(({id:t})=>e.nameOf(t)).join(` and `);return e.nameOf(t.id)+(r&&`; ${r} ${n.length>1?`live`:`lives`} there`)}function*Xy(e){let t=e.society,n=e.story.entries.map(({entry_id:e,text:t})=>({see:``,kind:`story`,text:t,passage:e})).reverse();for(let{agent:t}of e.world?.crowd.list??[])yield{see:t.id,kind:`person`,text:t.name};if(!t)return yield*n;for(let{id:e,name:n,kind:r}of t.organisations)yield{see:e,kind:O(r),text:n};for(let t of e.buildings)yield{see:t.id,kind:`building`,text:Yy(e,t)};for(let{id:n}of t.lands)yield{see:n,kind:`land`,text:e.nameOf(n)};for(let e of t.laws)yield{see:e.id,kind:`law`,text:`${e.title}: ${rn(e)}`};for(let n of t.contracts)yield{see:n.id,kind:`contract`,text:`${e.nameOf(n.id)}: ${on(n)}`};for(let[n,r]of Object.entries(t.boards)){let t=n.slice(n.lastIndexOf(`@`));for(let n of r){let r=Qn(`${n.title}: ${n.body}`,t=>e.nameOf(t));yield{see:w(t)?t:n.author,kind:`notice`,text:r}}}yield*n}function Zy(e,t){e.go(`story`);let n=setInterval(()=>{let r=document.querySelector(`#stream [data-id="${CSS.escape(t)}"]`);r?.scrollIntoView({block:`center`}),(r||e.place!==`story`)&&clearInterval(n)},100)}function Qy(e,t){if(e.length<=Ky)return e;let n=Math.max(0,e.toLowerCase().indexOf(t)-Ky/3),r=n===0?0:e.indexOf(` `,n)+1;return(r?`… `:``)+Nh(e.slice(r),({length:e})=>e<=Ky)}function $y(e,t){let n=t.trim().toLowerCase();if(!n)return[];let r=[],i=Wy(n,e.people,e.prices);i?r.push({see:i.id,kind:`answer`,text:i.text}):/^(rich|wealth|poor)/.test(n)&&e.society?.open_book===!1&&r.push({see:``,kind:`answer`,text:`What people carry is private here, so nobody can say who is richest.`}),Cv(e.papers.elections,e.time.tick)&&/^(elect|mayor|vote)/.test(n)&&r.push({see:Sv,kind:`election`,text:`The election and its candidates`});let a=new Set;for(let t of Xy(e)){let e=Jy(t)?t.text:t.see;r.length>=Gy||a.has(e)||`${t.text} ${t.see}`.toLowerCase().includes(n)&&(a.add(e),r.push({...t,text:Qy(t.text,n)}))}return r}function eb({viewer:e}){let[t,n]=E(``),[r,i]=E(0),a=oe(null),o=$y(e,t),s=t.trim().length>=qy;F(()=>{s&&e.story.hasEarlier&&e.story.loadAll()},[s,e.story.revision]);let c=t=>{t&&(t.passage?Zy(e,t.passage):t.see&&e.choose(t.see),n(``),a.current?.blur())};return F(()=>{let e=e=>{let t=e.target instanceof Element&&e.target.matches(`input, textarea, select`);(e.key===`/`&&!t&&!e.defaultPrevented||e.key===`k`&&(e.ctrlKey||e.metaKey))&&(e.preventDefault(),a.current?.focus())};return addEventListener(`keydown`,e),()=>removeEventListener(`keydown`,e)},[]),I(`div`,{class:`search`,children:[I(`input`,{id:`search`,type:`search`,ref:a,value:t,placeholder:`Find a person, place, law, word…`,"aria-label":`Find`,"aria-controls":`hits`,onKeyDown:e=>{if(e.key===`Enter`)c(o[r]);else if(e.key===`ArrowDown`)i(Math.min(o.length-1,r+1));else if(e.key===`ArrowUp`)i(Math.max(0,r-1));else if(e.key===`Escape`)n(``),a.current?.blur();else return;e.preventDefault()},onFocus:()=>e.story.start(),onInput:e=>{n(e.currentTarget.value),i(0)}}),t.trim()&&I(`ol`,{id:`hits`,role:`listbox`,children:[o.map((e,t)=>I(`li`,{role:`option`,"aria-selected":t===r,onMouseDown:t=>{t.preventDefault(),c(e)},children:[I(`small`,{children:e.kind}),` `,I(`bdi`,{children:e.text})]},e.see+t)),!o.length&&I(`li`,{class:`none`,children:s&&e.story.hasEarlier?`Looking through the whole story…`:`Nothing here is called that.`})]})]})}var tb=4e3,nb=e=>e.toLocaleString(`en-GB`);function rb({hour:e}){let t=zt(e);return I(`svg`,{class:`sky`,viewBox:`0 0 20 20`,"aria-label":t?`night`:`day`,role:`img`,children:t?I(`path`,{d:`M13 3a7.2 7.2 0 1 0 4 9.6A6 6 0 0 1 13 3z`}):I(`circle`,{cx:`10`,cy:`10`,r:`5`})})}var ib=t.filter(e=>!0),ab={world:`world`,society:`society-link`,story:`story`,matches:`matches-link`};function ob(e,t){let{current:n,world:r}=e;if(e.place===`story`)return e.story.link;if(n.state===`founding`)return{name:`founding`,text:`founding`};if(n.state===`opening`)return{name:`connecting`,text:`opening`};if(e.time.past.world||e.awaitsPast)return{name:`past`,text:`the past`};if(n.state===`away`)return{name:`away`,text:`disconnected`};if(n.state===`locked`)return{name:`away`,text:`token needed`};if(n.state===`connecting`||!r)return{name:`connecting`,text:`connecting`};let i=t-r.heardAt;return i>tb?{name:`quiet`,text:`no tick for ${Math.floor(i/1e3)} s`}:r.tick?{name:`live`,text:`live`}:{name:`connecting`,text:`connecting`}}function sb({viewer:e,hands:t,now:n}){let{world:r,society:i}=e,a=r?.tick,{name:o,text:s}=ob(e,n),c=t=>n=>{n.ctrlKey||n.metaKey||n.shiftKey||(n.preventDefault(),e.go(t))},l=i&&a?Math.floor(a.tick/i.day_ticks)+1:null;return I(`header`,{class:`masthead`,children:[I(`h1`,{children:`Thorp`}),I(`nav`,{class:`places`,"aria-label":`Places`,children:ib.map(t=>I(`a`,{id:ab[t],href:ye(t,null),"aria-current":e.place===t?`page`:void 0,onClick:c(t),children:t}))}),I(eb,{viewer:e}),I(`span`,{class:`state`,id:`state`,"data-state":o,role:`status`,children:s}),r&&a&&I(`dl`,{children:[I(`div`,{class:`hour`,children:[I(`dt`,{children:l?`Day ${l}`:`Time`}),I(`dd`,{children:[I(rb,{hour:a.time_of_day}),Bt(a.time_of_day)]})]}),I(`div`,{class:`seldom`,children:[I(`dt`,{children:`Weather`}),I(`dd`,{id:`weather`,children:f(a.weather)})]}),I(`div`,{class:`seldom`,children:[I(`dt`,{children:`Tick`}),I(`dd`,{id:`tick`,children:nb(a.tick)})]}),I(`div`,{class:`seldom`,children:[I(`dt`,{children:`Here`}),I(`dd`,{id:`here`,children:nb(r.crowd.connected)})]})]}),I(`button`,{type:`button`,id:`join-button`,"aria-expanded":t.join,onClick:t.toggleJoin,children:[`Join`,I(`span`,{class:`seldom`,children:` with an agent`})]})]})}var cb=e=>e.toLocaleString(`en-GB`);function lb({tick:e,of:t}){let n=oe({tick:e,at:performance.now()}),r=e-n.current.tick;return r<1?null:Math.ceil((performance.now()-n.current.at)/r*(t-e)/1e3)}function ub({founding:e}){let{tick:t,of:n,day_ticks:r,milestones:i}=e,a=lb(e),o=i.findIndex(e=>e.tick===null);return I(`section`,{class:`founding`,id:`founding`,role:`status`,"aria-label":`The village is being founded`,children:[I(`h2`,{children:`The village is living its first days`}),I(`p`,{children:I(`small`,{children:[`They are lived before you come in, by the same rules, without a picture.`,a!==null&&a>0&&` Some ${a} s more.`]})}),I(`div`,{class:`bar`,children:I(`i`,{style:{width:`${100*t/n}%`}})}),I(`p`,{class:`far`,children:[I(`strong`,{children:V(t,r).replace(`day`,`Day`)}),` `,I(`small`,{children:[`tick `,cb(t),` of `,cb(n)]})]}),I(`ol`,{children:i.map(({text:e,tick:t},n)=>I(`li`,{"data-state":t===null?n===o?`next`:`to come`:`done`,children:[I(`span`,{children:e}),` `,I(`small`,{children:t===null?n===o?`soon`:``:V(t,r)})]}))})]})}var db=6e3,fb=8e3,pb=e=>`${e.charAt(0).toUpperCase()}${e.slice(1)}.`;function mb({why:e,retry:t}){return I(`div`,{class:`notice`,role:`alert`,children:[I(`strong`,{children:`This world asks for a token.`}),I(`span`,{children:[`The server says: `,e,`.`]}),I(`form`,{id:`token-form`,onSubmit:e=>{e.preventDefault();let n=e.currentTarget.querySelector(`input`).value.trim();n&&(g(n),t())},children:[I(`input`,{type:`password`,"aria-label":`Token`,placeholder:`thorp_…`,autocomplete:`off`,maxLength:200}),I(`button`,{type:`submit`,children:`Watch`})]})]})}function hb({viewer:e,now:t,retry:n,join:r}){let{current:i,world:a,time:o}=e;if(i.state===`founding`)return I(ub,{founding:i.founding});if(i.state===`locked`)return I(mb,{why:i.why,retry:n});if(i.state===`away`)return I(`div`,{class:`notice`,role:`alert`,children:[I(`strong`,{children:i.why}),I(`span`,{children:[`Away since `,i.since,`. `,a?`You see the last state it sent. `:``,`The page reconnects by itself.`]}),I(`button`,{type:`button`,onClick:n,children:`Try now`})]});if(i.state===`opening`)return I(`div`,{class:`notice`,role:`status`,children:[I(`strong`,{children:pb(i.why)}),` `,I(`span`,{children:`The page goes on by itself.`})]});if(i.state===`connecting`)return I(`div`,{class:`notice late`,role:`status`,children:I(`span`,{children:`Looking for the world…`})});if(e.awaitsPast)return o.isPast?null:I(`div`,{class:`notice late`,role:`status`,children:I(`span`,{children:`Looking for that moment…`})});let s=a?t-a.heardAt:0;return!a?.tick&&s<=db?I(`div`,{class:`notice late`,role:`status`,children:I(`span`,{children:`Waiting for the first tick…`})}):a?.tick&&a.crowd.list.length===0&&!o.isPast?I(`div`,{class:`notice`,children:[I(`span`,{children:`Nobody is here yet.`}),I(`button`,{type:`button`,onClick:r,children:`Join with an agent`})]}):!o.isPast&&s>db?I(`div`,{class:`notice waits`,id:`waits`,role:`status`,children:[I(`strong`,{children:[`Time waits: no tick for `,Math.floor(s/1e3),` s.`]}),` `,I(`span`,{children:`A world in lockstep goes on when its agents move.`})]}):null}function gb({viewer:e,now:t}){return!e.tellsCoarse||t-e.coarseAt>=fb?null:I(`p`,{class:`toast`,id:`coarse`,role:`status`,children:`Picture made coarser, so that it stays smooth here.`})}var _b=48,vb=3,yb={ArrowDown:(e,t)=>Math.min(t,e+1),ArrowUp:e=>Math.max(0,e-1),PageDown:(e,t)=>Math.min(t,e+8),PageUp:e=>Math.max(0,e-8),Home:()=>0,End:(e,t)=>t};function bb({bodies:e,people:t,prices:n},r){if(r===`arrival`)return e.map(e=>({body:e}));let i=new Map(e.map(e=>[e.id,e]));return Hy(t,r).flatMap(e=>{let t=i.get(e.id);return t?[{body:t,figure:Ry(e,r),why:Vy(e,r,n)}]:[]})}function xb(e){let{watched:t,watch:n,nameOf:r}=e,[i,a]=E(``),[o,s]=E(`arrival`),[c,l]=E({top:0,height:400}),u=oe(null),d=i.trim().toLowerCase(),f=bb(e,o),p=d?f.filter(({body:{agent:e}})=>`${e.name} ${e.id}`.toLowerCase().includes(d)):f,[m,h]=E(-1),g=m<0?Math.max(0,p.findIndex(({body:e})=>e.id===t)):Math.min(m,p.length-1),_=Math.max(0,Math.floor(c.top/_b)-vb),v=Math.min(p.length,Math.ceil((c.top+c.height)/_b)+vb),y=()=>u.current&&l({top:u.current.scrollTop,height:u.current.clientHeight});return F(()=>{let e=new ResizeObserver(y);return e.observe(u.current),()=>e.disconnect()},[]),F(()=>{if(o!==`arrival`&&m<0)return;let e=u.current;g*_b<e.scrollTop&&(e.scrollTop=g*_b),(g+1)*_b>e.scrollTop+e.clientHeight&&(e.scrollTop=(g+1)*_b-e.clientHeight)},[g,o]),I(`section`,{class:`roster`,"aria-labelledby":`roster-title`,children:[I(`div`,{class:`heading`,children:[I(`h2`,{id:`roster-title`,children:`People`}),I(`select`,{id:`order`,"aria-label":`Sorted by`,value:o,onChange:e=>{s(e.currentTarget.value),u.current?.scrollTo(0,0)},children:Fy.map(e=>I(`option`,{value:e,children:[`by `,e]}))}),I(`input`,{type:`search`,placeholder:`Find`,"aria-label":`Find somebody by name`,value:i,onInput:e=>a(e.currentTarget.value)})]}),I(`div`,{class:`rows`,id:`agents`,role:`listbox`,tabIndex:0,"aria-labelledby":`roster-title`,ref:u,"aria-activedescendant":p[g]&&`agent-${p[g].body.id}`,onScroll:y,onKeyDown:e=>{let t=yb[e.key];if(e.key===`Enter`&&p[g])n(p[g].body.id);else if(t&&p.length)h(t(g,p.length-1));else return;e.preventDefault()},children:[I(`div`,{style:{height:`${p.length*_b}px`},children:p.slice(_,v).map(({body:e,figure:i,why:a},o)=>I(Sb,{body:e,figure:i,why:a,top:(_+o)*_b,chosen:e.id===t,marked:_+o===m,watch:n,nameOf:r},e.id))}),!p.length&&I(`p`,{class:`none`,children:d?`Nobody is called that.`:`Nobody is here yet.`})]})]})}function Sb({body:e,figure:t,why:n,top:r,chosen:i,marked:a,watch:o,nameOf:s}){let{agent:c,hue:l}=e,u=c.work_task;return I(`div`,{class:`row`,role:`option`,id:`agent-${c.id}`,"aria-selected":i,"data-marked":a,"data-away":!c.connected,style:{transform:`translateY(${r}px)`},onClick:()=>o(c.id),children:[I(`i`,{class:`dye`,style:{background:c.connected?`hsl(${Math.round(l*360)} 45% 55%)`:``}}),I(`span`,{class:`name`,children:[I(`bdi`,{children:c.name}),` `,I(`small`,{children:c.title?I(`bdi`,{children:c.title}):c.id})]}),t===void 0?I(ay,{agent:c}):I(`b`,{class:`figure`,children:t??`private`}),I(`span`,{class:`doing`,children:[n??fr(c),u&&n===void 0?` ${Math.round(u.progress*100)} %`:``,c.intent&&n===void 0&&I(P,{children:[` `,I(`q`,{class:`says`,children:I(`bdi`,{children:Qn(c.intent,s)})})]})]}),!c.intent&&n===void 0&&I(`span`,{class:`where`,children:[c.pos[0],`, `,c.pos[2]]})]})}var Cb=30,wb=6e6,Tb=12e4,Eb=[`video/webm;codecs=vp9`,`video/webm;codecs=vp8`,`video/webm`];function Db(e,t){let n=document.createElement(`a`);n.href=URL.createObjectURL(e),n.download=t,n.click(),setTimeout(()=>URL.revokeObjectURL(n.href),6e4)}var Ob=()=>typeof MediaRecorder>`u`?null:Eb.find(e=>MediaRecorder.isTypeSupported(e))??null,kb=class{beganAt=performance.now();recorder;parts=[];constructor(e,t,n,r){let i=e.captureStream(Cb);this.recorder=new MediaRecorder(i,{mimeType:t,videoBitsPerSecond:wb}),this.recorder.ondataavailable=({data:e})=>this.parts.push(e);let a=setTimeout(()=>this.end(),Tb);this.recorder.onstop=()=>{clearTimeout(a);for(let e of i.getTracks())e.stop();Db(new Blob(this.parts,{type:`video/webm`}),n),r()},this.recorder.start(1e3)}end(){this.recorder.state!==`inactive`&&this.recorder.stop()}},Ab=300,jb=40,Mb=.25,Nb=e=>`${(e/1e6).toFixed(1)} MB`;function Pb({viewer:e,close:t}){let{time:n}=e,{dayTicks:r}=n,[i]=E(n.tick),[o,s]=E(String(Math.max(1,Math.round(i-r*Mb)))),[c,l]=E(String(i)),[u,d]=E(null),[f,p]=E(``),[m,h]=E(!1),g=e=>/^\d{1,12}$/.test(e.trim())?Number(e):F_(e,r)?.[0]??null,[_,v]=[g(o),g(c)],y=_!==null&&v!==null?`from=${Math.max(1,_)}&to=${v}`:null;F(()=>{if(d(null),p(y===null?`Write a tick (13500), or a day and hour (day 2 5:30).`:``),y===null)return;let e=!1,t=setTimeout(async()=>{let t=await Ee(`v1/film/size?${y}`);e||(`why`in t?p(t.why):d(t))},Ab);return()=>{e=!0,clearTimeout(t)}},[y]);let b=async e=>{if(e.preventDefault(),!u||m)return;h(!0);let n=await a(`v1/film?${y}`).catch(()=>null);n?.ok?Db(await n.blob(),`thorp-${u.first}-${u.last}.html`):p(n?String((await n.json().catch(()=>({}))).details):`the server did not answer`),h(!1),n?.ok&&t()},x=(e,t,n,i,a)=>I(`label`,{children:[t,` `,I(`input`,{id:e,value:n,maxLength:jb,onInput:({currentTarget:e})=>i(e.value)}),I(`small`,{children:a===null?``:` ${V(a,r)}`})]});return I(`form`,{class:`help film-about`,id:`send-card`,"aria-label":`Send this`,onSubmit:b,children:[I(`h2`,{children:`Send this…`}),I(`p`,{children:`One file that plays this stretch in any browser, without a network. Nothing private is in it.`}),x(`send-from`,`From`,o,s,_),x(`send-to`,`to`,c,l,v),I(`p`,{role:`status`,id:`send-size`,children:f||(u?`About ${Nb(u.bytes)}.`:`Looking how large it is…`)}),I(`button`,{type:`submit`,disabled:!u||m,children:m?`Making it…`:`Make it`}),` `,I(`button`,{type:`button`,onClick:t,children:`Close`})]})}function Fb({of:e}){let{word:t,mood:n}=i(e);return I(`span`,{class:`pill`,"data-mood":n,children:t})}var Ib=e=>e.society?.day_ticks??6e3,Lb=({viewer:e,ids:t})=>I(P,{children:t.map((t,n)=>I(P,{children:[n>0&&`, `,I(Z,{viewer:e,id:t})]}))});function Rb({viewer:e,posts:t}){return I(`ol`,{class:`posts`,children:t.map(t=>I(`li`,{children:[I(`strong`,{children:I(`bdi`,{children:t.title})}),` `,I(ev,{viewer:e,text:t.body}),I(`small`,{children:[` `,I(Z,{viewer:e,id:t.author}),`, `,V(t.tick,Ib(e))]})]},t.id))})}function zb({viewer:e,election:t}){let{time:n}=e,r=Ib(e),{election_state:i,office:a,candidates:o,votes:s,winner:c,next_tick:l}=t,u={called:`called`,open:`voting`,decided:`decided`}[i],d={called:`the vote opens`,open:`the vote ends`,decided:`the next one`}[i];return I(`article`,{class:`paper`,id:`election`,children:[I(`p`,{class:`label`,children:`Election`}),I(`h3`,{children:[M(a||`mayor`),` of `,I(Z,{viewer:e,id:t.town}),` `,I(`span`,{class:`pill`,"data-mood":i===`decided`?`good`:`wait`,children:u})]}),I(`ul`,{class:`candidates`,children:o.map(({id:t,name:n,promise:r})=>I(`li`,{children:[e.world?.crowd.get(t)?I(Z,{viewer:e,id:t}):I(`bdi`,{children:n||t}),i===`decided`&&Object.hasOwn(s,t)&&I(`b`,{children:[` `,s[t]]}),t===c&&I(`strong`,{children:` elected`}),r&&I(P,{children:[` `,I(ev,{viewer:e,text:r})]})]}))}),I(`p`,{children:I(`small`,{children:[`said by `,I(Z,{viewer:e,id:t.said_by}),`, `,V(t.tick,r),l>n.tick&&`; ${d}: ${V(l,r)}`,` `,I(`i`,{class:`told`,children:`told`})]})})]})}function Bb({law:{tally:e,voted:t,members:n,quorum:r,status:i}}){if(i===`NOTICE`)return null;let a=e=>`${100*e/Math.max(1,n)}%`;return I(`div`,{class:`turnout`,role:`img`,"aria-label":`${t} of ${n} have voted, ${r} are enough`,children:[e?I(P,{children:[I(`i`,{"data-vote":`yes`,style:{width:a(e.yes)}}),I(`i`,{"data-vote":`no`,style:{width:a(e.no)}}),I(`i`,{style:{width:a(e.abstain)}})]}):I(`i`,{style:{width:a(t)}}),I(`b`,{style:{left:a(r)}})]})}function Vb({viewer:e,law:t}){let n=Ib(e),{tally:r}=t;return I(`article`,{class:`paper`,id:t.id,children:[I(`h3`,{children:[I(Z,{viewer:e,id:t.id,children:I(`bdi`,{children:t.title})}),` `,I(Fb,{of:t.status})]}),I(`p`,{children:rn(t)}),I(`p`,{children:I(`small`,{children:[`proposed by `,I(Z,{viewer:e,id:t.proposer}),`, `,V(t.proposed_tick,n),`; on`,` `,I(Z,{viewer:e,id:t.land_id})]})}),I(`ol`,{class:`stages`,children:[I(`li`,{"data-on":t.status===`NOTICE`,children:[`notice`,I(`small`,{children:V(t.proposed_tick,n)})]}),I(`li`,{"data-on":t.status===`VOTING`,children:[`voting`,I(`small`,{children:V(t.notice_ends_tick,n)})]}),I(`li`,{"data-on":r!==null,children:[r?i(t.status).word:`in force or rejected`,I(`small`,{children:V(t.vote_ends_tick,n)})]})]}),I(Bb,{law:t}),r?I(`p`,{children:[I(`strong`,{children:[r.yes,` yes`]}),`, `,r.no,` no, `,r.abstain,` abstained`,` `,I(`small`,{children:[`of `,t.members,` members`]})]}):I(`p`,{children:[I(`strong`,{children:[t.voted,` of `,t.members]}),` `,`have voted; `,t.quorum,` are enough. `,I(`small`,{children:`Counted when the voting ends.`})]}),t.status===`ACTIVE`&&I(Ub,{viewer:e,law:t})]})}var Hb={MARKET_TAX:[`taxed one trade`,`trades were taxed`],FINE_BREAK_PER_BLOCK:[`fined once`,`times somebody was fined`],ACCESS_PASS_CORE:[`one ticket was sold`,`tickets were sold`]};function Ub({viewer:e,law:t}){let{time:n}=e,r=Ib(e),i=Hb[t.template_id],a=n.past.world?`?tick=${n.askedTick}`:``,o=Vv(i?`${n.tape.of}laws/${t.id}/effects${a}`:null),s=I(P,{children:[`In force since`,` `,I($_,{viewer:e,tick:t.vote_ends_tick,children:V(t.vote_ends_tick,r)})]});return i?o?I(`details`,{class:`effects`,children:[I(`summary`,{children:I(`small`,{children:[s,`.`,` `,o.times===0?`Nobody has paid because of it.`:I(P,{children:[o.times===1?i[0]:`${o.times} ${i[1]}`,Object.keys(o.paid).length>0&&I(P,{children:[`, which brought `,tn(o.paid)]}),`.`]})]})}),I(`ol`,{class:`lately`,children:o.newest.map(([t,n,i])=>I(`li`,{children:[I($_,{viewer:e,tick:t,children:V(t,r).replace(`day `,``)}),` `,I(`span`,{children:[I(Z,{viewer:e,id:n}),` `,Object.keys(i).length?`paid ${tn(i)}`:`traded too little to be taxed`]})]}))})]}):I(`p`,{class:`effects`,children:I(`small`,{children:[s,`.`]})}):I(`p`,{class:`effects`,children:I(`small`,{children:[s,`. It takes nothing from anyone: whoever acts against it is refused.`]})})}function Wb({viewer:e,org:t}){let n=Object.entries(t.members).filter(([,e])=>e===`LEADER`).map(([e])=>e),r=e.society?.lands.filter(({owner:e})=>e===t.id)??[];return I(`article`,{class:`paper`,children:[I(`h3`,{children:[I(`bdi`,{children:t.name}),` `,I(`small`,{children:O(t.kind)})]}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`led by`}),I(`dd`,{children:n.map(t=>I(Z,{viewer:e,id:t}))})]}),I(`div`,{children:[I(`dt`,{children:`land`}),I(`dd`,{children:r.length?r.map(({id:t,radius:n})=>I(P,{children:[I(Z,{viewer:e,id:t}),` `,I(`small`,{children:[2*n+1,` across`]})]})):`none`})]}),I(`div`,{children:[I(`dt`,{children:`treasury`}),I(`dd`,{id:`treasury`,children:[I(rv,{items:t.treasury}),I(Kv,{viewer:e,org:t})]})]}),I(`div`,{children:[I(`dt`,{children:`since`}),I(`dd`,{children:V(t.created_tick,Ib(e))})]}),I(`div`,{children:[I(`dt`,{children:`members`}),I(`dd`,{class:`members`,children:I(Lb,{viewer:e,ids:Object.keys(t.members)})})]})]})]})}function Gb({viewer:e,org:t}){let n=Wv(e,t)?.find(({saw:e})=>Object.keys(e).length);return n?I(`article`,{class:`paper`,id:`town`,children:[I(`h3`,{children:[`How `,t.name,` stood `,I(`small`,{children:[`as its council saw it, `,V(n.tick,e.time.dayTicks)]})]}),I(qv,{of:n.saw})]}):null}function Kb({viewer:e,org:t}){let n=e.papers.town(t.id);return e.time.past.world?I(Gb,{viewer:e,org:t}):n?I(`article`,{class:`paper`,id:`town`,children:[I(`h3`,{children:[`How `,t.name,` stands`]}),I(qv,{of:n.pressure}),I(`p`,{children:n.mission?I(P,{children:[I(`strong`,{children:[n.mission.title,`.`]}),` `,n.mission.description]}):`The council has taken up no mission.`}),I(`ul`,{class:`works`,children:n.projects.map(e=>I(`li`,{children:[p(e.name),` `,I(`span`,{class:`bar`,children:I(`i`,{style:{width:`${e.progress*100}%`}})}),` `,I(`small`,{children:e.status})]},e.id))})]}):null}function qb({viewer:e,society:t}){return t.contracts.length?I(`div`,{class:`wide`,tabIndex:0,role:`region`,"aria-label":`All contracts`,children:I(`table`,{children:[I(`thead`,{children:I(`tr`,{children:[`No`,`Asked for`,`By`,`Reward`,`Taken by`,`State`,`Until`].map(e=>I(`th`,{scope:`col`,children:e}))})}),I(`tbody`,{children:t.contracts.map(n=>I(`tr`,{children:[I(`td`,{children:I(Z,{viewer:e,id:n.id,children:Number(n.id.slice(1))})}),I(`td`,{children:[on(n),Object.keys(n.brought).length>0&&I(`small`,{children:[` `,tn(n.brought),` brought`]})]}),I(`td`,{children:I(Z,{viewer:e,id:n.poster})}),I(`td`,{children:[I(rv,{items:n.reward}),n.backer&&I(`small`,{children:[` `,`+ `,tn(n.bonus),` from `,I(Z,{viewer:e,id:n.backer})]})]}),I(`td`,{children:I(Z,{viewer:e,id:n.acceptor})}),I(`td`,{children:I(Fb,{of:n.state})}),I(`td`,{children:V(n.deadline_tick,t.day_ticks)})]},n.id))})]})}):I(`p`,{class:`none`,children:`Nobody has asked for anything yet.`})}function Jb({viewer:e,notice:t}){let{society:n,time:r}=e;if(r.isPast&&!r.past.world)return I(`main`,{class:`society`,"data-time":`past`,children:[I(Q_,{viewer:e}),I(`p`,{class:`none`,children:r.problem?`There are no papers of that time.`:`Looking for the papers of that time…`})]});if(!n)return I(`main`,{class:`society`,children:e.current.state===`live`?I(`p`,{class:`none`,children:`Looking for the society's papers…`}):t});let{organisations:i,laws:a,boards:o}=n,s=Cv(e.papers.elections,r.tick),c=i.find(({id:t})=>t===e.see)??i[0],l=new Set(n.lands.filter(({owner:e})=>e===c?.id).map(({id:e})=>e)),u=a.filter(({land_id:e})=>l.has(e)),d=a.filter(({land_id:e})=>!l.has(e)),f=Object.values(o).flat().sort((e,t)=>t.tick-e.tick).filter(({title:e,body:t},n,r)=>r.findIndex(n=>n.title===e&&n.body===t)===n).slice(0,8);return I(`main`,{class:`society`,id:`society`,"data-time":e.time.isPast?`past`:`live`,children:[e.current.state===`away`&&I(`p`,{class:`old`,role:`alert`,children:[e.current.why,` These are the last papers it sent, from `,V(n.tick,n.day_ticks),`.`]}),I(Q_,{viewer:e}),I(`nav`,{"aria-label":`Organisations`,children:[I(`h2`,{children:`Organisations`}),i.map(t=>I(`button`,{type:`button`,"aria-pressed":t===c,onClick:()=>e.choose(t.id),children:[I(`bdi`,{children:t.name}),` `,I(`small`,{children:[O(t.kind),`, `,Object.keys(t.members).length]})]},t.id)),!i.length&&I(`p`,{class:`none`,children:`Nobody has founded anything yet.`}),I(`h2`,{children:`Everyone`}),[[`laws`,`Laws`,a.length],[`contracts`,`Contracts`,n.contracts.length],[`boards`,`Boards`,f.length]].map(([e,t,n])=>I(`button`,{type:`button`,onClick:()=>document.getElementById(`all-${e}`)?.scrollIntoView({block:`nearest`}),children:[t,` `,I(`small`,{children:n})]})),n.event&&I(`button`,{type:`button`,"aria-pressed":e.see===n.event.id,onClick:()=>e.choose(n.event.id),children:[n.event.title,` `,I(`small`,{children:`event`})]}),n.cut&&I(`p`,{children:I(`small`,{children:`The tape had no room for all that there was.`})}),I(`p`,{children:I(`small`,{children:`What you see is what anyone in the world may know. Votes are counted, never named.`})})]}),I(`section`,{id:`all-laws`,"aria-label":`Laws`,children:[I(`h2`,{children:[`Laws`,c&&I(P,{children:[` `,`of the land of `,I(`bdi`,{children:c.name})]})]}),u.map(t=>I(Vb,{viewer:e,law:t})),!u.length&&I(`p`,{class:`none`,children:`No law has been proposed here.`}),d.length>0&&I(`h2`,{children:`Laws elsewhere`}),d.map(t=>I(Vb,{viewer:e,law:t})),c&&I(Kb,{viewer:e,org:c})]}),I(`section`,{"aria-label":`Organisation and its council`,children:[I(`h2`,{children:c?I(`bdi`,{children:c.name}):`Nobody rules here`}),c&&I(Wb,{viewer:e,org:c}),s&&s.town===c?.id&&I(zb,{viewer:e,election:s}),c?.kind===`CITY`&&I(P,{children:[I(`h2`,{children:`The council`}),I(Gv,{viewer:e,org:c})]})]}),I(`section`,{class:`all`,id:`all-contracts`,"aria-label":`Contracts`,children:[I(`h2`,{children:`Contracts`}),I(qb,{viewer:e,society:n})]}),I(`section`,{class:`all`,id:`all-boards`,"aria-label":`Boards`,children:[I(`h2`,{children:`On the boards`}),f.length?I(Rb,{viewer:e,posts:f}):I(`p`,{class:`none`,children:`Nothing is posted.`})]})]})}var Yb=14,Xb=20,Zb=15;function Qb({viewer:e,building:t}){let{time:n}=e,r=Ib(e),[i,a]=E(``),o=up(t,e.papers.buildings,n.tick),{x:s,z:c}=sp(t),l=an(e.society,Math.floor(s),Math.floor(c)),u=async()=>{let r=await qt(`${n.tape.of}rising?building=${encodeURIComponent(t.id)}`);a(r?``:`This server does not know when it was built.`),r&&(e.goTo(s,c),n.playStretch(r.first-Xb,r.last+Zb,Yb))};return I(`article`,{class:`paper`,id:`building`,children:[I(`p`,{class:`label`,children:`Building`}),I(`h3`,{children:e.nameOf(t.id)}),I(`div`,{class:`buttons`,children:[I(`button`,{type:`button`,id:`rise`,disabled:!n.tape.state,onClick:()=>void u(),children:`Watch it rise`}),I(`button`,{type:`button`,onClick:()=>e.goTo(s,c),children:`Go there`})]}),i&&I(`p`,{class:`none`,children:i}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`asked by`}),I(`dd`,{children:t.asked_by?I(P,{children:[I(Z,{viewer:e,id:t.asked_by}),` `,I(`small`,{children:[V(t.asked_tick,r),`,`]}),` `,I(Z,{viewer:e,id:t.contract})]}):`nobody: it was built without a contract`})]}),I(`div`,{children:[I(`dt`,{children:`built by`}),I(`dd`,{children:I(Z,{viewer:e,id:t.builder})})]}),I(`div`,{children:[I(`dt`,{children:`from`}),I(`dd`,{children:I(rv,{items:t.cost})})]}),I(`div`,{children:[I(`dt`,{children:`lives here`}),I(`dd`,{id:`residents`,children:o.length?o.map(({id:t,since_tick:n},i)=>I(P,{children:[i>0&&`, `,I(Z,{viewer:e,id:t}),` `,I(`small`,{children:[`since `,V(n,r)]})]})):`nobody, as far as was said in public`})]}),I(`div`,{children:[I(`dt`,{children:`since`}),I(`dd`,{children:I($_,{viewer:e,tick:t.completed_tick,children:V(t.completed_tick,r)})})]}),I(`div`,{children:[I(`dt`,{children:`on`}),I(`dd`,{children:l?I(Z,{viewer:e,id:l.id}):`land that nobody owns`})]})]})]})}function $b({time:e,society:t,world:n},r){let i=r.split(`,`).map(Number),[a,,o]=i,s=e.past.placeAt(i);if(!s||s.block===void 0||!t||!n)return null;let c=n.looks.name(s.block),l=an(t,a,o);return{...s,position:i,block:c,land:l?.id??``,posts:Object.hasOwn(t.boards,`${c}@${r}`)?t.boards[`${c}@${r}`]:[],contracts:t.contracts.filter(({terminal:e,state:t})=>e.join()===r&&(t===`OPEN`||t===`ACCEPTED`)).map(({id:e})=>e),holds:t.open_book?e.book.chestAt(r)??null:null}}function ex({viewer:e,at:t}){let{time:n,world:r}=e,i=n.past.world?`?tick=${n.askedTick}`:``,a=n.tape.state&&`${n.tape.of}places/${t}/changes${i}`,[o,s]=E(null);return F(()=>{let e=!1;return a&&qt(a).then(t=>e||s(t)),()=>{e=!0}},[a]),!o?.length||!r?null:I(`section`,{class:`effects`,id:`changes`,"aria-label":`What changed here`,children:[I(`h4`,{children:`What changed here`}),I(`ol`,{class:`lately`,children:o.map(({tick:t,before:n,after:i,actor:a,reason:o})=>I(`li`,{children:[I($_,{viewer:e,tick:t,children:V(t,Ib(e)).replace(`day `,``)}),` `,I(`span`,{children:[S(a)?I(Z,{viewer:e,id:a}):`the world`,` `,_n({actor:a,pos:[0,0,0],from:n,to:i,reason:o},r.looks)]})]}))})]})}function tx({viewer:e,at:t}){let[n,r]=E(void 0),i=e.time.isPast||e.awaitsPast;F(()=>{r(void 0),i||qt(`admin/v1/observer/places/${t}`).then(r)},[t,i]);let a=i?e.time.past.world?$b(e,t):void 0:n;if(!a)return I(`p`,{class:`none`,children:a===void 0?`Looking…`:`Nothing is known of ${t}: nobody is near it.`});let o=e.society?.open_book;return I(`article`,{class:`paper`,children:[I(`h3`,{children:[M(be(a.block)),` `,I(`small`,{children:[`at `,a.position.join(`, `)]})]}),I(`dl`,{class:`facts`,children:[a.building&&I(`div`,{children:[I(`dt`,{children:`part of`}),I(`dd`,{children:[a.structure?I(Z,{viewer:e,id:a.structure,children:Xt(a.building)}):Xt(a.building),`, built by `,I(Z,{viewer:e,id:a.builder})]})]}),I(`div`,{children:[I(`dt`,{children:`on`}),I(`dd`,{id:`land-here`,children:a.land?I(Z,{viewer:e,id:a.land}):`land that nobody owns`})]}),a.sign&&I(`div`,{children:[I(`dt`,{children:`says`}),I(`dd`,{children:I(ev,{viewer:e,text:a.sign})})]}),a.holds&&I(`div`,{children:[I(`dt`,{children:`holds`}),I(`dd`,{children:I(rv,{items:a.holds})})]}),!a.holds&&!o&&/CHEST|FURNACE|TERMINAL/.test(a.block)&&I(`div`,{children:[I(`dt`,{children:`holds`}),I(`dd`,{children:`kept private here`})]}),a.contracts.length>0&&I(`div`,{children:[I(`dt`,{children:`contracts`}),I(`dd`,{children:a.contracts.map(t=>I(P,{children:[I(Z,{viewer:e,id:t}),` `]}))})]})]}),I(Rb,{viewer:e,posts:a.posts}),I(ex,{viewer:e,at:t},t)]})}function nx({viewer:e,contract:t}){let n=Ib(e),r=e.buildings.find(e=>e.contract===t.id);return I(`article`,{class:`paper`,children:[I(`h3`,{children:[`Contract `,Number(t.id.slice(1)),` `,I(Fb,{of:t.state})]}),I(`p`,{children:[on(t),Object.keys(t.brought).length>0&&I(`small`,{children:[`, brought `,tn(t.brought)]})]}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`asked by`}),I(`dd`,{children:I(Z,{viewer:e,id:t.poster})})]}),I(`div`,{children:[I(`dt`,{children:`taken by`}),I(`dd`,{children:I(Z,{viewer:e,id:t.acceptor})})]}),I(`div`,{children:[I(`dt`,{children:`reward`}),I(`dd`,{children:[I(rv,{items:t.reward}),t.backer&&I(`small`,{children:[` `,`and `,tn(t.bonus),` from `,I(Z,{viewer:e,id:t.backer})]})]})]}),Object.keys(t.deposit).length>0&&I(`div`,{children:[I(`dt`,{children:`deposit`}),I(`dd`,{children:I(rv,{items:t.deposit})})]}),r&&I(`div`,{children:[I(`dt`,{children:`built`}),I(`dd`,{children:I(Z,{viewer:e,id:r.id})})]}),I(`div`,{children:[I(`dt`,{children:`since`}),I(`dd`,{children:V(t.created_tick,n)})]}),I(`div`,{children:[I(`dt`,{children:`until`}),I(`dd`,{children:V(t.deadline_tick,n)})]}),I(`div`,{children:[I(`dt`,{children:`at`}),I(`dd`,{children:I(Z,{viewer:e,id:`@${t.terminal.join(`,`)}`,children:[`the terminal at `,t.terminal[0],`, `,t.terminal[2]]})})]})]})]})}var rx=8,ix=8,ax=e=>/^(C|LAW)\d/.test(e)?4:/^A\d/.test(e)?2:.5;function ox(e,t){let n=e=>e.refs.filter(e=>t.refs.includes(e)).reduce((e,t)=>e+ax(t),0),r=e.filter(e=>(e.tick!==t.tick||e.number!==t.number)&&n(e)>=2),i=e=>n(e)*1e3-Math.abs(e.tick-t.tick);return r.sort((e,t)=>i(t)-i(e)).slice(0,rx).sort((e,t)=>e.tick-t.tick)}function sx(e,t){let n=t-e.n*250,r=e.document.society.find(([e])=>e===n)?.[1]??{},i=[];for(let t of[`laws`,`contracts`,`organisations`,`lands`])for(let[a,o]of Object.entries(r[t]??{})){let r=e.records.one(n-1,t,a),s=o,c=s?r?lx(r,s):n?`is new`:``:`is gone`;c&&i.push({of:a,what:c})}return i.slice(0,ix)}var cx={status:``,state:``,voted:`votes`,stage:`upkeep`,owner:`owner`,acceptor:`taken by`};function lx(e,t){let n=e=>String(e||`nobody`).toLowerCase(),r=Object.entries(cx).filter(([n])=>e[n]!==t[n]).map(([r,i])=>`${i} ${n(e[r])} → ${n(t[r])}`.trim());JSON.stringify(e.treasury)!==JSON.stringify(t.treasury)&&r.push(`treasury ${ux(e.treasury,t.treasury)}`);let[i,a]=[e.members,t.members].map(e=>Object.keys(e??{}).length);return typeof t.members==`object`&&i!==a&&r.push(`members ${i} → ${a}`),r.join(`, `)}function ux(e,t){return[...new Set([...Object.keys(e),...Object.keys(t)])].map(n=>[n,(t[n]??0)-(e[n]??0)]).filter(([,e])=>e).map(([e,t])=>`${t>0?`+`:`−`}${tn({[e]:Math.abs(t)})}`).join(`, `)}var dx=6e3,fx=25,px=20;function mx({viewer:e,tick:t,which:n}){let{time:r,world:i}=e,[a,o]=E(null);F(()=>{o(null);let e=[[t,t],[t-dx,t-1],[t+1,Math.min(r.liveTick,t+dx)]];Promise.all(e.map(([e,t])=>e<=t?r.marks(e,t,1):null)).then(e=>o(e.flatMap(e=>e?.marks??[])))},[t]);let s=r.tape.segmentWith(t);if(t>r.liveTick)return I(`p`,{class:`none`,children:[`Tick `,t,` has not come yet.`]});if(!s||!i)return I(`p`,{class:`none`,children:r.tape.isGone(t)?`This moment is not on the tape: it cannot be shown.`:`Looking…`});let c=new yn;c.takeEach(s,t-1,t,i.looks,t=>e.nameOf(t));let l=c.lines([`society`,`people`,`talk`,`work`],1/0),u=l.slice(0,px),d=l.find(e=>e.which===n)??u.find(({sort:e})=>e!==`work`)??u[0],f=a?.filter(e=>e.tick===t&&(!n||`${e.number}`===n)).sort((e,t)=>t.weight-e.weight)[0],p=s.tickAt(t),m=f?.refs.find(e=>p.agents.some(({id:t})=>t===e))??d?.see,h=n?p.happenings?.[Number(n)-1]:p.happenings?.find(e=>Array.isArray(e.pos)),g=(Array.isArray(h?.pos)?h.pos:void 0)??p.agents.find(({id:e})=>e===m)?.pos,_=f&&a?ox(a,f):[],v=sx(s,t),y=r.dayTicks;return I(`article`,{class:`paper event`,id:`event`,children:[I(`p`,{class:`label`,children:`Event`}),I(`h3`,{children:f?.text??(d?`${d.who} ${d.did}`:`Nothing that anyone noticed`)}),I(`p`,{children:I(`small`,{children:[V(t,y),`, tick `,t,g&&I(P,{children:[` `,`· at`,` `,I(`button`,{type:`button`,class:`see`,onClick:()=>e.goTo(g[0],g[2]),children:[g[0],`, `,g[2]]})]})]})}),I(`div`,{class:`buttons`,children:I(`button`,{type:`button`,id:`watch`,onClick:()=>{m?e.along(m):g&&e.goTo(g[0],g[2]),r.jump(Math.max(1,t-fx)),r.playing=!0},children:`Watch it`})}),u.length>0&&I(P,{children:[I(`h4`,{children:`What happened`}),I(`ul`,{class:`lately`,children:u.map(t=>I(`li`,{children:I(`span`,{children:[t.see?I(Z,{viewer:e,id:t.see,children:I(`bdi`,{children:t.who})}):I(`bdi`,{children:t.who}),` `,I(Z,{viewer:e,id:ge(t.tick,t.which),children:I(`span`,{class:`did`,children:t.did})}),t.count>1&&I(`small`,{children:[` × `,t.count]}),t.quote!==void 0&&I(P,{children:[` `,I(ev,{viewer:e,text:t.quote})]})]})}))})]}),a===null&&I(`p`,{class:`none`,children:`Looking for what came before and after…`}),_.length>0&&I(P,{children:[I(`h4`,{children:`Before and after`}),I(`ol`,{class:`lately`,id:`related`,children:_.map(n=>I(`li`,{"data-after":n.tick>t,children:[I($_,{viewer:e,tick:n.tick,children:V(n.tick,y).replace(`day `,``)}),` `,I(`span`,{children:I(Z,{viewer:e,id:ge(n.tick,`${n.number}`),children:n.text})})]}))})]}),v.length>0&&I(P,{children:[I(`h4`,{children:`What changed`}),I(`dl`,{class:`facts`,children:v.map(({of:t,what:n})=>I(`div`,{children:[I(`dt`,{children:I(Z,{viewer:e,id:t})}),I(`dd`,{children:n})]}))})]}),I(`p`,{children:I(`small`,{children:[`A world of your own from here: `,I(`code`,{children:[`thorp world fork --at `,t,` --into what-if`]})]})}),I(`p`,{children:I(`small`,{children:I(`a`,{class:`see`,href:`${b.pathname}story/day/${Math.floor(t/y)+1}`,onClick:n=>{n.preventDefault(),e.go(`story`,`day/${Math.floor(t/y)+1}`)},children:[`read on at day `,Math.floor(t/y)+1]})})})]})}var hx=[`trade`,`build`,`break`,`damage`];function gx({market_tax:e,fine:t,curfew:n},r){return r===`trade`?e?`${Math.round(e*100)} % is kept`:``:r===`break`&&t?`costs ${en(...t)} a block`:r!==`damage`&&n?`not from ${Bt(n[0])} to ${Bt(n[1])}`:``}function _x({viewer:e,land:t}){let n=e.society?.laws.filter(({land_id:e,status:n})=>e===t.id&&n===`ACTIVE`)??[],r=e.society?.organisations.find(({id:e})=>e===t.owner),i=e.papers.town(t.owner);return I(`article`,{class:`paper`,children:[I(`h3`,{children:I(`span`,{children:e.nameOf(t.id)})}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`owner`}),I(`dd`,{children:I(Z,{viewer:e,id:t.owner})})]}),I(`div`,{children:[I(`dt`,{children:`size`}),I(`dd`,{children:[2*t.radius+1,` across, around `,t.anchor[0],`, `,t.anchor[2]]})]}),I(`div`,{children:[I(`dt`,{children:`upkeep`}),I(`dd`,{children:[[`paid`,`late`,`missed: open to all`][t.stage]??`missed`,`, due `,V(t.due_tick,Ib(e))]})]}),I(`div`,{children:[I(`dt`,{children:`a stranger`}),I(`dd`,{class:`rights`,children:[hx.map(e=>{let n=t.visitors_may.includes(e);return I(`span`,{"data-may":n,children:[n?`may`:`may not`,` `,e,` `,I(`small`,{children:gx(t,e)})]})}),t.ticket&&I(`span`,{"data-may":`true`,children:[`may enter the middle `,I(`small`,{children:[`for `,en(...t.ticket)]})]})]})]}),I(`div`,{children:[I(`dt`,{children:`laws`}),I(`dd`,{children:n.length?n.map(({id:t},n)=>I(P,{children:[n>0&&`, `,I(Z,{viewer:e,id:t})]})):`none`})]}),r&&I(`div`,{children:[I(`dt`,{children:`treasury`}),I(`dd`,{children:[I(rv,{items:r.treasury}),I(Kv,{viewer:e,org:r})]})]}),r&&I(`div`,{children:[I(`dt`,{children:`members`}),I(`dd`,{class:`members`,children:I(Lb,{viewer:e,ids:Object.keys(r.members)})})]})]}),i&&!e.time.past.world&&I(P,{children:[I(`h4`,{children:`How the town fares`}),I(qv,{of:i.pressure})]})]})}var vx=600;function yx({viewer:e,event:t}){let n=Ib(e),{center:r}=t,i=`took part: ${ue(t.id)}`,a=e.chronicle.lines([`society`],vx).filter(e=>e.did===i&&e.tick>=t.start_tick),o=[...new Set(a.flatMap(({see:e})=>e??[]))];return I(`article`,{class:`paper`,id:`world-event`,children:[I(`p`,{class:`label`,children:`Event of the world`}),I(`h3`,{children:t.title}),I(`p`,{children:t.description}),I(`dl`,{class:`facts`,children:[I(`div`,{children:[I(`dt`,{children:`from`}),I(`dd`,{children:I($_,{viewer:e,tick:t.start_tick,children:V(t.start_tick,n)})})]}),I(`div`,{children:[I(`dt`,{children:`until`}),I(`dd`,{children:V(t.ends_tick,n)})]}),I(`div`,{children:[I(`dt`,{children:`where`}),I(`dd`,{children:r?I(P,{children:[t.radius,` around`,` `,I(`button`,{type:`button`,class:`see`,onClick:()=>e.goTo(r[0],r[2]),children:[r[0],`, `,r[2]]})]}):`everywhere`})]}),I(`div`,{children:[I(`dt`,{children:`took part`}),I(`dd`,{children:o.length?I(Lb,{viewer:e,ids:o}):`nobody yet, as far as is told here`})]})]})]})}function bx({viewer:e,see:t}){let{time:n}=e,[r,i]=E([]);return F(()=>{i([]),n.tape.state&&n.marks(0,n.liveTick,1).then(e=>i(e?.marks.filter(({refs:e})=>e.includes(t))??[]))},[t,n.tape.state!==null]),I(`div`,{id:`gone`,children:[I(`p`,{class:`none`,children:[`There is no `,t,` here, or not any more.`]}),r.length>0&&I(`ol`,{class:`lately`,children:r.map(t=>I(`li`,{children:[I($_,{viewer:e,tick:t.tick,children:V(t.tick,n.dayTicks).replace(`day `,``)}),` `,I(`span`,{children:I(Z,{viewer:e,id:ge(t.tick,`${t.number}`),children:t.text})})]}))})]})}var xx=async()=>(await uy(async()=>{let{WhyCard:e}=await import(`./why.js`);return{WhyCard:e}},[],import.meta.url)).WhyCard;function Sx({viewer:e,see:t}){let n=e.society,r=n?.laws.find(({id:e})=>e===t),i=n?.contracts.find(({id:e})=>e===t),a=n?.organisations.find(({id:e})=>e===t),o=n?.lands.find(({id:e})=>e===t),s=l(t),c=Cv(e.papers.elections,e.time.tick),u=ip(t)?e.papers.buildings.find(({id:e})=>e===t):void 0;return I(`section`,{class:`thing`,id:`thing`,"aria-label":`What you look at`,children:[I(`div`,{class:`buttons`,children:[e.isOther||I(tv,{viewer:e}),I(`button`,{type:`button`,onClick:()=>e.choose(null),children:`Close`})]}),r?I(Vb,{viewer:e,law:r}):i?I(nx,{viewer:e,contract:i}):a?I(Wb,{viewer:e,org:a}):o?I(_x,{viewer:e,land:o}):n?.event?.id===t?I(yx,{viewer:e,event:n.event}):s?I(mx,{viewer:e,tick:s.tick,which:s.which}):te(t)?I(Pv,{load:xx,with:{viewer:e,see:t}}):t===`ELECTION`&&c?I(zb,{viewer:e,election:c}):u?I(Qb,{viewer:e,building:u},t):w(t)?I(tx,{viewer:e,at:t.slice(1)}):n?I(bx,{viewer:e,see:t}):I(`p`,{class:`none`,children:`Looking…`})]})}var Cx=Ob();function wx({viewer:e,hands:t}){let[n,r]=E(null),i=()=>{if(n)return n.end();let t=document.querySelector(`#scene`);t&&Cx&&r(new kb(t,Cx,`thorp-${e.time.tick}.webm`,()=>r(null)))},a=n?`End the clip and keep it`:`Record a clip`;return I(P,{children:[Cx&&I(`button`,{type:`button`,id:`clip`,"aria-pressed":n!==null,disabled:e.isMap&&!n,title:a,"aria-label":a,onClick:i,children:I(`svg`,{viewBox:`0 0 20 20`,children:n?I(`path`,{d:`M6 6h8v8H6z`}):I(`path`,{d:`M10 5a5 5 0 1 0 .01 0M10 8a2 2 0 1 0 .01 0`})})}),e.time.tape.state&&I(`button`,{type:`button`,id:`send`,"aria-expanded":t.send,title:`Send this…`,"aria-label":`Send this…`,onClick:t.toggleSend,children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M10 13V3M6 7l4-4 4 4M4 11v6h12v-6`})})})]})}function Tx({viewer:e,hands:t}){return I(`div`,{class:`tools`,role:`toolbar`,"aria-label":`View`,children:[I(`button`,{type:`button`,id:`map`,"aria-pressed":e.isMap,title:`Map (M)`,"aria-label":`Map`,onClick:t.toggleMap,children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M3 5l5-2 4 2 5-2v12l-5 2-4-2-5 2zM8 3v12M12 5v12`})})}),I(`button`,{type:`button`,title:`Zoom in (+)`,"aria-label":`Zoom in`,onClick:()=>t.zoom(.7),children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M10 4v12M4 10h12`})})}),I(`button`,{type:`button`,title:`Zoom out (−)`,"aria-label":`Zoom out`,onClick:()=>t.zoom(1.4),children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M4 10h12`})})}),I(`button`,{type:`button`,id:`compare-button`,"aria-pressed":t.kept!==null||t.second!==null,disabled:e.isMap||!e.time.tape.state,title:`Compare (C)`,"aria-label":`Compare`,onClick:t.toggleCompare,children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M10 3v14M8 5H3v10h5M12 5h5v10h-5`})})}),se()===`own`&&I(`button`,{type:`button`,id:`what-if`,"aria-expanded":t.whatIf,disabled:!e.time.tape.state,title:`What if… (for operators)`,"aria-label":`What if`,onClick:t.toggleWhatIf,children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M5 17V11c0-3 10-3 10-7M5 11c0-3-0-5 0-8M12 6l3-3 3 3`})})}),I(wx,{viewer:e,hands:t}),I(`button`,{type:`button`,"aria-pressed":t.help,title:`Keys (?)`,"aria-label":`Keys`,onClick:t.toggleHelp,children:I(`svg`,{viewBox:`0 0 20 20`,children:I(`path`,{d:`M7 7.5a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2M10 15.2v.6`})})})]})}var Ex=1e3,Dx=`params.`,Ox=e=>e.trim()&&Number.isFinite(Number(e))?Number(e):e;function kx(e,t){let n={change:e.change},r={};for(let i of e.fields.filter(e=>Ax(e,t))){let e=i.kind===`number`?Ox(t[i.name]??``):t[i.name]??``;i.name.startsWith(Dx)?r[i.name.slice(7)]=e:n[i.name]=e}return Object.keys(r).length?{...n,params:r}:n}var Ax=({of:e,values:t},n)=>e===``||t.includes(n[e]);function jx(e,t,n){let r=e.optional?[{value:``,text:`the city’s land`}]:[];if(e.among===``)return[...r,...e.options];let i=t[e.among].filter(({value:t})=>!e.options.length||e.options.some(e=>e.value===t));return[...r,...i.filter(({value:t})=>e.of===``||t!==n.person)]}function Mx(e,t,n){let r={};for(let i of e.fields){if(!Ax(i,r))continue;let e=n[i.name];if(i.kind!==`choice`)r[i.name]=e??i.default;else{let n=jx(i,t,r);r[i.name]=n.some(t=>t.value===e)?e:n[0]?.value??``}}return r}var Nx=({fields:e},t)=>e.every(e=>e.among===``||e.optional||e.of!==``||jx(e,t,{}).length>0);async function Px(e,t){let n={method:`POST`,body:JSON.stringify(t),headers:{"Content-Type":`application/json`}},r=await a(e,n).catch(()=>null);if(!r)return{why:`the server cannot be reached`};let i=await r.json().catch(()=>({}));return r.ok?i:{why:String(i.details??`the server gave no reason`)}}function Fx({viewer:e,close:t}){let{time:n}=e,[r]=E(Math.max(1,Math.min(n.tick,n.liveTick-1))),[i,a]=E(null),[o,s]=E(``),[c,l]=E(2),[u,d]=E([]),[f,p]=E(`weather`),[m,h]=E({}),g={people:(e.world?.crowd.list??[]).map(({agent:{name:e}})=>({value:e,text:e})),laws:(e.society?.laws??[]).filter(({status:e})=>e===`ACTIVE`).map(({id:e,title:t})=>({value:e,text:`${t} (${e})`})),lands:(e.society?.lands??[]).map(({id:t,owner:n})=>({value:t,text:`the land ${t} of ${e.nameOf(n)}`}))},_=u.find(({change:e})=>e===f),v=_?Mx(_,g,m):{},y=e=>{`why`in e?s(e.why):(s(e.problem),a(e))};F(()=>{let e=!0,t=async()=>{let t=await Ee(`v1/what-if`);e&&(`why`in t?s(t.why):y(t))};t(),Ee(`v1/what-if/changes`).then(t=>{e&&Array.isArray(t)&&d(t)});let n=setInterval(()=>document.hidden||void t(),Ex);return()=>{e=!1,clearInterval(n)}},[]);let b=async e=>{e.preventDefault(),_&&(s(``),y(await Px(`v1/what-if`,{at_tick:r,days:c,change:kx(_,v)})))},x=i?.answers.find(({id:e})=>e===i.running);return I(`form`,{class:`help film-about what-if`,id:`what-if-card`,"aria-label":`What if`,onSubmit:b,children:[I(`h2`,{children:`What if…`}),I(`p`,{children:[`Two forks of this world at `,I(`b`,{children:V(r,n.dayTicks)}),` (tick `,r,`): in one of them one thing is otherwise. Both live on without a server, and this world stays as it is.`]}),I(`label`,{children:[`What`,` `,I(`select`,{id:`what-if-kind`,value:f,onChange:({currentTarget:e})=>{p(e.value),h({})},children:u.map(e=>I(`option`,{value:e.change,disabled:!Nx(e,g),children:e.text}))})]}),_?.fields.filter(e=>Ax(e,v)).map(e=>I(Rx,{field:e,options:e.kind===`choice`?jx(e,g,v):[],value:v[e.name]??``,take:t=>h({...v,[e.name]:t})},`${e.name} ${e.values}`)),I(`label`,{children:[`and both live for`,` `,I(`input`,{id:`what-if-days`,type:`number`,min:`1`,max:i?.max_days??1,value:c,onInput:({currentTarget:e})=>l(Number(e.value))}),` `,`days`]}),o&&I(`p`,{role:`alert`,id:`what-if-why`,children:o}),x&&I(`p`,{id:`what-if-progress`,role:`status`,children:[I(`bdi`,{children:x.change}),`: `,Lx(i?.progress??null),` `,I(`progress`,{max:`1`,value:i?.progress?.done??0}),` `,Ix(i?.progress??null)&&I(`a`,{id:`what-if-look`,href:D(x.control,x.changed,x.at_tick+1),children:`Look already`}),` `,I(`button`,{type:`button`,id:`what-if-cancel`,onClick:async()=>y(await Px(`v1/what-if/cancel`,{})),children:`Cancel`})]}),I(`button`,{type:`submit`,disabled:!i||!_||!!x,children:`Find out`}),` `,I(`button`,{type:`button`,onClick:t,children:`Close`}),I(`ul`,{id:`what-if-answers`,children:i?.answers.filter(({id:e})=>e!==i.running).map(e=>I(`li`,{"data-finished":e.finished,children:[I(`bdi`,{children:e.change}),` `,I(`small`,{children:[`at `,V(e.at_tick,n.dayTicks),`, `,e.days,` `,e.days===1?`day`:`days`]}),` `,e.finished?I(`a`,{class:`see`,href:D(e.control,e.changed,e.at_tick+1),children:`Look`}):I(`button`,{type:`button`,onClick:async()=>y(await Px(`v1/what-if`,e.asked)),children:`Go on`})]}))})]})}var Ix=e=>e!==null&&e.last_tick>0&&e.arm.startsWith(`changed`),Lx=e=>e?.last_tick?`${e.arm}, tick ${e.tick} of ${e.last_tick}`:`the fork is being made…`;function Rx({field:{name:e,text:t,kind:n,min:r,max:i,whole:a,optional:o},options:s,value:c,take:l}){let u=`what-if-${e.replace(Dx,``)}`,d=({currentTarget:e})=>l(e.value);return I(`p`,{children:[I(`label`,{for:u,children:t}),` `,n===`choice`&&I(`select`,{id:u,value:c,onChange:d,children:s.map(e=>I(`option`,{value:e.value,children:e.text}))}),n===`number`&&I(`input`,{id:u,type:`number`,value:c,required:!0,min:r,max:i,step:a?1:`any`,onInput:d}),n===`text`&&I(`input`,{id:u,type:`text`,value:c,required:!o,maxLength:i,onInput:d})]})}var zx=[`low`,`half`,`high`],Bx=`The world. Arrows move, Q and E turn, plus and minus zoom, N and P watch the next and the previous agent.`,Vx={world:`Thorp`,society:`Society of Thorp`,story:`Story of Thorp`,matches:`Matches`};function Hx({viewer:e,hands:t,now:n}){let r=oe(null),i=oe(null);F(()=>t.attach(r.current,i.current),[]);let{place:a}=e,o=a===`world`;return F(()=>{document.title=[e.see&&e.nameOf(e.see),Vx[a]].filter(Boolean).join(` · `)}),I(P,{children:[I(sb,{viewer:e,hands:t,now:n}),I(`main`,{class:`scene`,hidden:!o,"data-state":e.current.state,"data-empty":!e.world?.tick,"data-time":e.time.isPast||e.awaitsPast?`past`:`live`,"data-watched":e.attention.watched,children:[I(`canvas`,{id:`scene`,tabIndex:0,"aria-label":Bx,ref:r}),I(`canvas`,{class:`overlay`,"aria-hidden":`true`,ref:i}),e.isMap||t.second!==null||I(kv,{viewer:e,hands:t,now:n}),I(`div`,{class:`foot`,children:[I(gb,{viewer:e,now:n}),t.tour.on&&I(`p`,{class:`tour`,id:`tour`,role:`status`,children:[I(`strong`,{children:`Tour`}),` `,I(`bdi`,{children:t.tour.why||`Looking for something to see…`}),` `,I(`small`,{children:`any key ends it`})]})]}),t.kept&&I(r_,{viewer:e,kept:t.kept,end:t.toggleCompare}),t.second&&!e.isMap&&I(Jg,{viewer:e,second:t.second,attach:t.attachSecond,compareMoments:t.compareMoments,end:t.toggleCompare}),!t.second&&I(Q_,{viewer:e}),I(hb,{viewer:e,now:n,retry:t.retry,join:t.toggleJoin}),I(My,{viewer:e,hands:t}),I(Tx,{viewer:e,hands:t})]}),a===`society`&&I(Jb,{viewer:e,notice:I(hb,{viewer:e,now:n,retry:t.retry,join:t.toggleJoin})}),Object.hasOwn(Ux,a)&&I(Wx,{viewer:e,...Ux[a]},a),(o&&e.current.state!==`founding`||e.see&&!(a===`society`&&e.society?.organisations.some(({id:t})=>t===e.see)))&&I(Gx,{viewer:e,second:o?t.second:null}),o&&I(Z_,{viewer:e,lane:t.lane,second:t.second}),t.help&&I(Nv,{viewer:e,close:t.toggleHelp}),t.join&&I(ky,{viewer:e,close:t.toggleJoin}),t.send&&I(Pb,{viewer:e,close:t.toggleSend}),t.whatIf&&I(Fx,{viewer:e,close:t.toggleWhatIf})]})}var Ux={story:{load:async()=>(await uy(async()=>{let{StoryPlace:e}=await import(`./story.js`);return{StoryPlace:e}},[],import.meta.url)).StoryPlace,name:`the story`},matches:{load:async()=>(await uy(async()=>{let{MatchesPlace:e}=await import(`./matches.js`);return{MatchesPlace:e}},[],import.meta.url)).MatchesPlace,name:`matches`}};function Wx({viewer:e,load:t,name:n}){let[r,i]=E(`Looking for ${n}…`);F(()=>{t().then(e=>i(()=>e),()=>i(`This part of the page did not come; load the page again.`))},[]);let a=r;return typeof a==`string`?I(`main`,{class:`society`,children:I(`p`,{class:`none`,children:a})}):I(a,{viewer:e})}function Gx({viewer:e,second:t}){let[n,r]=E(`people`),[i,a]=E(sn),o=e=>a(sn.filter(t=>t===e?!i.includes(t):i.includes(t))),[s,c]=E(1),l=I(`button`,{type:`button`,class:`grip`,"aria-label":`Panel: ${zx[s]}. Change its height`,onClick:()=>c((s+1)%zx.length)}),u=t?.chosen!=null,d=u?t.viewer:e,{see:f}=d,p=f?d.world?.crowd.get(f):void 0,m=u?`there`:`here`;return p?I(`aside`,{class:`panel one`,"data-sheet":zx[s],children:[l,t&&I(Xg,{second:t,isThere:u}),I(wy,{viewer:d,body:p},m)]}):f&&(!S(f)||d.world?.tick)?I(`aside`,{class:`panel one`,"data-sheet":zx[s],children:[l,t&&I(Xg,{second:t,isThere:u}),I(Sx,{viewer:d,see:f},m)]}):t?I(`aside`,{class:`panel one`,"data-sheet":zx[s],children:[l,I($g,{viewer:e,second:t})]}):I(`aside`,{class:`panel`,"data-tab":n,"data-sheet":zx[s],children:[l,I(`nav`,{class:`tabs`,"aria-label":`Panel`,children:[`people`,`lately`].map(e=>I(`button`,{type:`button`,"aria-pressed":n===e,onClick:()=>r(e),children:e}))}),I(xb,{bodies:e.world?.crowd.list??[],people:e.people,prices:e.prices,watched:e.attention.watched,watch:t=>e.choose(t),nameOf:t=>e.nameOf(t)}),I(ov,{viewer:e,sorts:i,toggle:o})]})}var Kx=16,qx=(e,t,{agent:n})=>Math.max(Math.abs(n.pos[0]-e),Math.abs(n.pos[2]-t));function Jx(e){let t=(e?.organisations??[]).filter(({kind:e})=>e===`CITY`);t.sort((e,t)=>Object.keys(t.members).length-Object.keys(e.members).length);let n=t.flatMap(({id:t,members:n})=>{let r=e.lands.filter(({owner:e})=>e===t);return r.length?r:e.lands.filter(({owner:e})=>e in n)})[0];return n?{x:n.anchor[0],z:n.anchor[2],radius:n.radius}:null}function Yx(e,t){let n=t.filter(({agent:e})=>e.connected),r=Jx(e),i=r?n.filter(e=>qx(r.x,r.z,e)<=r.radius):n,a=e=>i.filter(t=>qx(e.agent.pos[0],e.agent.pos[2],t)<=Kx).length;return{watched:(i.map(e=>({body:e,company:a(e)})).sort((e,t)=>t.company-e.company)[0]?.body??(r?[...n].sort((e,t)=>qx(r.x,r.z,e)-qx(r.x,r.z,t))[0]:void 0))?.id??null,plaza:r&&{x:r.x,z:r.z}}}var Xx=(e,t)=>{let n=Jx(e);return n===null||qx(n.x,n.z,t)<=n.radius},Zx=class{watched=null;following=!1;isChosen=!1;opensAt=null;hasOpened=!1;follow(e){this.isChosen=!0,this.following=e!==null,this.watched=e}letGo(){let e=this.following;return this.isChosen=!0,this.following=!1,e}chooseFirst(e,t){let n=e.crowd.get(this.watched);if(this.watched!==null&&!n&&(this.following=!1),this.isChosen){n||this.follow(null);return}if(n?.agent.connected&&Xx(t,n))return;let{watched:r,plaza:i}=Yx(t,e.crowd.list);r!==this.watched&&(r!==null||!n)&&(this.follow(r),this.isChosen=!1),this.following=r!==null&&!i,i&&!this.hasOpened&&(this.opensAt=i),this.hasOpened||=i!==null}};function Qx(e,t,n,r=[]){let i=v(e);if(i!==void 0)return i;if(ip(e)){let i=r.find(t=>t.id===e);return i?op(i,e=>Qx(e,t,n)):j(e.split(`@`)[0])}if(n?.event?.id===e)return n.event.title;let a=t?.crowd.get(e)?.agent.name??n?.organisations.find(t=>t.id===e)?.name??n?.laws.find(t=>t.id===e)?.title;if(a!==void 0)return a;if(l(e))return`event`;if(te(e))return`why the story says it`;let o=n?.lands.find(t=>t.id===e);return o?`the land of ${Qx(o.owner,t,n)}`:/^C0*\d+$/.test(e)?`contract ${Number(e.slice(1))}`:e}var $x=4,eS=2e3,tS=class{papers;tape;changed;world=null;chronicle=new yn;traces=new Tn;hasAskedForHistory=!1;failures=0;constructor(e,t,n){this.papers=e,this.tape=t,this.changed=n}begin(e){let t=this.world?.bootstrap,n=t?.world_id===e.world_id&&t.world_params.seed===e.world_params.seed;t&&(!n||e.tick<t.tick)&&(this.chronicle=new yn),this.world=new mr(e)}take(e,t){let n=performance.now(),r=e=>Qx(e,t,this.papers.society);t.tick=e,t.heardAt=n,t.crowd.take(e.agents,n),this.papers.take(e.happenings??[]),this.askForHistory(e.tick,t),this.traces.take(e),this.chronicle.take(e,t.looks,r);for(let{kind:i,from:a,text:o}of e.happenings??[])i===`CHAT`&&a&&o&&t.crowd.get(a)?.say(Qn(o,r),n)}askForHistory(e,t){if(this.hasAskedForHistory||!this.papers.society||!this.tape.state)return;this.hasAskedForHistory=!0;let{chronicle:n,traces:r}=this,i={looks:t.looks,nameOf:e=>Qx(e,t,this.papers.society),strict:this.failures<$x};In(this.tape,r.since||e,i).then(e=>{if(!e||n!==this.chronicle)return;n.goBack(e.chronicle),r.goBack(e.traces);let t=[...e.traces.squares.values()];r.takeSquares(t.map(({x:e,z:t,mined:n,placed:r})=>[e,t,n,r])),this.changed()},()=>{this.failures++,setTimeout(()=>{this.hasAskedForHistory=!1},eS*this.failures)})}},nS=500,rS=5e3,iS=4e4,aS=200,oS=5e3,sS=class{changed;entries=[];ticks=new Map;declared=new Set;pocket=null;greeting=null;link={name:`connecting`,text:`connecting`};hasEarlier=!1;revision=0;prepended=0;complaint=null;sentAt=null;spoken=0;pending=null;cursor=null;entryIds=new Set;started=!1;loadingAll=!1;wake=()=>{};constructor(e){this.changed=e}start(){this.started||(this.started=!0,addEventListener(`online`,()=>this.wake()),this.run())}async showEarlier(){let e=c(`v1/story/stream`);e.searchParams.set(`last`,String(this.entries.length+aS)),e.searchParams.set(`limit`,String(aS));let t=await fetch(e).catch(()=>null);if(!t?.ok)return;let n=await t.json();this.note(n);let r=this.fresh(n.stream.entries);this.entries=[...r,...this.entries],this.hasEarlier=r.length>0&&this.entries.length<oS,this.prepended+=1,this.tell()}async loadAll(){if(!this.loadingAll){for(this.loadingAll=!0;this.hasEarlier;){let e=this.entries.length;if(await this.showEarlier(),this.entries.length===e)break}this.loadingAll=!1}}isOfEarlierWorld(e){let t=-1,n=-1;for(let[r,{entry_id:i}]of this.entries.entries()){let a=this.ticks.get(i);if(i===e&&(n=r),a&&a.first<t&&n>=0&&n<r)return!0;t=a?.first??t}return!1}fresh(e){let t=e.filter(({entry_id:e})=>!this.entryIds.has(e));for(let{entry_id:e}of t)this.entryIds.add(e);return t}note({ticks:e,declared:t}){for(let[t,n]of Object.entries(e??{}))this.ticks.set(t,n);for(let e of t??[])this.declared.add(e)}tell(){this.revision+=1,this.changed()}hear(e){let{entries:t,cursor_before:n,cursor_after:r}=e.stream;for(this.cursor!==null&&this.cursor!==n&&this.forget(),this.entryIds.size===0&&(this.hasEarlier=n!==null),this.note(e),this.entries=[...this.entries,...this.fresh(t)];this.entries.length>oS;)this.entryIds.delete(this.entries.shift().entry_id),this.hasEarlier=!0;this.cursor=r,this.pocket=e.pocket,this.tell()}forget(){this.entries=[],this.entryIds.clear(),this.ticks.clear(),this.declared.clear()}follow(){let e=c(`v1/story/events`);this.cursor===null?e.searchParams.set(`last`,String(aS)):e.searchParams.set(`cursor`,this.cursor);let t=new EventSource(e),n=performance.now();return new Promise(e=>{let r=!1,i=()=>{clearInterval(a),t.close(),e(r)},a=setInterval(()=>{performance.now()-n>iS&&i()},1e3),o=(e,r)=>t.addEventListener(e,e=>{n=performance.now(),r(JSON.parse(e.data))});t.onopen=()=>{r=!0,this.link={name:`live`,text:`live`},this.tell()},t.onerror=i,o(`reader`,e=>{this.greeting=e,this.tell()}),o(`page`,e=>this.hear(e)),o(`still`,()=>{})})}async showRecorded(){let e=await a(`v1/story/stream`);this.link={name:`live`,text:`a film`},e.ok?this.hear(await e.json()):this.tell()}async reason(){let e=c(`v1/story/stream`);e.searchParams.set(`limit`,`1`);let t=await fetch(e).catch(()=>null);if(t===null||t.ok)return`the server cannot be reached`;t.status===401&&d();let{details:n}=await t.json().catch(()=>({details:t.statusText}));return`the server says: ${typeof n==`string`?n:t.statusText}`}async run(){for(let e=nS;;e=Math.min(e*1.6,rS))await this.follow()&&(e=nS),this.link={name:`away`,text:await this.reason()},this.tell(),await new Promise(t=>{this.wake=t,setTimeout(t,e)})}async speak(e,t){let n=this.greeting?.sender;if(this.sentAt!==null||!n)return!1;if(this.pending?.operator.input_text!==e||this.pending.declared_overrides.pause_time!==t){let r=[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``);this.pending={request_id:`page-${r}`,invoker:n.invoker,operator:{operator_id:n.operator_id,input_text:e},mode:{kind:`BEAT`},declared_overrides:{time:null,pause_time:t}}}return this.deliver()}async deliver(){this.complaint=null,this.sentAt=performance.now(),this.tell();let e=await fetch(c(`invocations`),{method:`POST`,headers:{"Content-Type":`application/json`},body:JSON.stringify(this.pending)}).then(async e=>({status:e.status,body:await e.json(),lost:lS(e.headers)})).catch(()=>({status:0,body:{error:`no answer came`},lost:null}));this.sentAt=null;let t=e.status===200;return t?this.taken(e.lost):this.refused(e.status,e.body),this.tell(),t}taken(e){this.pending=null,this.spoken+=1,e&&(this.complaint={text:`Your words are kept; ${e}`,again:!1}),this.wake()}refused(e,{error:t,details:n,writer:r}){let i=e===0||e>=500||e===429,a=Array.isArray(n)?n.map(({path:e,message:t})=>`${e}: ${t}`).join(`; `):n,o=r?`${r.code}: ${r.message}`:a;this.complaint={text:o?`${t} (${o})`:String(t),again:i},i||(this.pending=null)}},cS={rejected:`what the writer proposed was rejected`,failed:`the writer failed`,looped:`the writer asked in a loop and wrote nothing`};function lS(e){let[t,n]=(e.get(`Story-Outcome`)??``).split(` `),r=cS[t];if(!r)return null;let i=decodeURIComponent(e.get(`Story-Reason`)??``),a=e.get(`Story-Beat`),o=[n&&`${decodeURIComponent(n)}: ${i}`,a&&`beat ${a} of the audit`].filter(Boolean);return o.length?`${r} (${o.join(`; `)})`:r}var uS=[`before dawn`,`morning`,`afternoon`,`evening`],dS=[`first`,`second`,`third`,`fourth`,`fifth`,`sixth`,`seventh`,`eighth`,`ninth`,`tenth`,`eleventh`,`twelfth`,`thirteenth`,`fourteenth`,`fifteenth`,`sixteenth`,`seventeenth`,`eighteenth`,`nineteenth`,`twentieth`],fS=8,pS=e=>dS[e-1]?`The ${dS[e-1]} day`:`Day ${e}`,mS=e=>4*Math.max(1,...[...e].map(({first:e,last:t})=>t-e+1));function hS(e,t){let n=[],r={world:0,day:0,quarter:0,first:-1,strokes:[],entries:[]};for(let i of e.entries){let a=e.ticks.get(i.entry_id),o=a?Math.floor(a.first/t)+1:r.day,s=a?Math.floor(a.first%t*4/t):r.quarter;if(!n.length||o!==r.day||s!==r.quarter){if(a!==void 0&&a.first<r.first)for(let e of n)e.world+=1;r={world:0,day:o,quarter:s,first:a?.first??-1,strokes:Array(fS).fill(0),entries:[]},n.push(r)}r.entries.push(i);for(let[,e]of a?.sentences??[])r.strokes[Math.min(7,Math.floor((e%t*4/t-s)*fS))]+=1}return n}function gS(e,t,n){let r=!1,i=({entry_id:e})=>(r||=(t.ticks.get(e)?.last??-1)>n,!r);return e.map(e=>e.world?e:{...e,entries:e.entries.filter(i)}).filter(({entries:e})=>e.length)}function _S(e,t,n){let r=({entry_id:e})=>t.ticks.get(e)?.sentences.some(([,,e])=>e.includes(n))??!1;return e.map(e=>({...e,entries:e.entries.filter(r)})).filter(({entries:e})=>e.length)}function vS(e,t){let n=new Map(t.filter(([e])=>e.length>1).sort(([e],[t])=>t.length-e.length));if(!n.size)return[{text:e}];let r=[...n.keys()].map(e=>e.replace(/[\\^$.*+?()[\]{}|/-]/g,`\\$&`)).join(`|`);return e.split(RegExp(`(?<![\\p{L}\\p{N}_])(${r})(?![\\p{L}\\p{N}_])`,`u`)).map((e,t)=>t%2?{text:e,see:n.get(e)}:{text:e}).filter(e=>e.text)}var yS=6,bS=1024,xS=64,SS=400,CS=class{subscribe;attention;lookingAt;focus=``;pace=new Oe(SS);constructor(e,t,n){this.subscribe=e,this.attention=t,this.lookingAt=n}followCamera(e){if(!this.pace.isDue(`focus`,e))return;let t=this.lookingAt(),n=(this.attention.following?this.attention.watched:null)??(t?`${Math.floor(t.x)>>4},${Math.floor(t.z)>>4}`:``);n!==this.focus&&(this.focus=n,this.pace.note(`focus`,e),this.send())}send(){let e=this.lookingAt();this.subscribe({chunk_radius:yS,max_chunks:bS,focus_agent_id:this.attention.following&&this.attention.watched||``,focus_pos:e&&[Math.floor(e.x),0,Math.floor(e.z)],voxel_radius:3,voxel_max_chunks:xS})}},wS=14,TS=4,ES=500,DS=class{changed;current={state:`connecting`};lookingAt=()=>null;attention=new Zx;time=new Dr(()=>this.timeChanged(),{bootstrap:()=>this.live?.bootstrap??null,society:()=>this.papers.society,nameOf:e=>this.nameOf(e)},e=>this.focusOf(e));addressAt=0;lateness=null;isOther=!1;papers=new Jt(()=>this.papersArrived());present=new tS(this.papers,this.time.tape,()=>this.changed());story=new sS(()=>this.changed());place=A(C().path);part=pe(C().path);see=xe(C().query);isMap=h(C().query);layers=mp(C().query);deed=`all`;coarseAt=0;tellsCoarse=!1;sawLive=!1;wanted=null;wantedSpeed=null;subscription;constructor(e,t){this.changed=e,this.subscription=new CS(t,this.attention,()=>this.lookingAt()),addEventListener(`popstate`,()=>this.readAddress()),this.readAddress(),this.subscription.send()}papersArrived(){let{see:e,attention:t}=this,n=e&&!t.isChosen?this.papers.buildings.find(({id:t})=>t===e):void 0;n&&(t.letGo(),t.opensAt=sp(n)),this.changed()}get live(){return this.present.world}get awaitsPast(){return this.wanted!==null||this.time.isPast&&!this.time.past.world&&!this.sawLive}get isThen(){return this.time.past.world!==null||this.awaitsPast}get world(){return this.isThen?this.time.past.world:this.live}get society(){return this.isThen?this.time.past.society:this.papers.society}get buildings(){let{buildings:e}=this.papers;if(!this.isThen)return e.filter(({stands:e})=>e);let{past:t,tick:n}=this.time;return e.filter(({id:e,stands:r,completed_tick:i})=>i<=n&&(r||t.hasStructure(e)))}get prices(){return this.papers.society?.prices??{}}get people(){let{past:e,book:t}=this.time;return!this.isThen||!e.world?this.papers.people:e.world.crowd.list.map(({agent:{id:n,name:r}})=>{let i=this.society?.open_book?t.pocketOf(n):void 0,a=Object.values(e.standingOf(n)??{}),o=Object.entries(i??{}).sort((e,t)=>Iy({[t[0]]:t[1]},this.prices)-Iy({[e[0]]:e[1]},this.prices))[0];return{id:n,name:r,worth:i?Iy(i,this.prices):null,standing:a.reduce((e,t)=>e+t,0)/Math.max(1,a.length),trades:0,sold:null,carries:o??null,kept:0,earned:0,broken:0,built:this.buildings.filter(({builder:e})=>e===n).length}})}get chronicle(){return this.isThen?this.time.past.chronicle:this.present.chronicle}get traces(){return this.isThen?this.time.past.traces:this.present.traces}timeChanged(){let{position:e,playing:t,speed:n,past:r}=this.time,i=performance.now();if(r.world&&(r.society||this.time.isOver)&&this.attention.chooseFirst(r.world,this.society),this.place!==`matches`&&(e===null||!t||i-this.addressAt>ES)){this.addressAt=i;let r=he(C().query,`at`,this.tickInAddress),a=e!==null&&t&&n!==1?String(n):null,o=ye(this.place,this.see,he(r,`speed`,a),this.part);(/\?.*/.exec(o)?.[0]??``)!==C().query&&N(o,`replace`)}this.changed()}get tickInAddress(){return this.time.isPast?String(this.time.tick):null}readAddress(){this.place=A(C().path),this.part=pe(C().path),this.see=xe(C().query),this.isMap=h(C().query),this.wanted=s(C().query),this.wantedSpeed=_r.find(e=>String(e)===new URLSearchParams(C().query).get(`speed`))??null,this.live&&this.goToWanted(),this.see&&S(this.see)&&this.attention.follow(this.see),this.see&&w(this.see)&&!o(C().query)&&this.openAtCell(this.see),this.changed()}openAtCell(e){let[t,,n]=u(e);this.attention.letGo(),this.attention.opensAt={x:t+.5,z:n+.5}}goToWanted(){let e=this.wanted;this.wanted=null,e===null?this.time.isPast&&this.time.goLive():(this.time.jump(e),this.time.tape.state||this.time.complain(`This server does not tell of the past; the page goes on asking`),this.wantedSpeed!==null&&this.time.setSpeed(this.wantedSpeed))}begin(e){this.present.begin(e),this.sawLive=!1,this.papers.refresh(performance.now()),this.time.begin(),this.time.liveTick=e.tick,this.time.refresh(performance.now()).then(()=>this.wanted!==null&&this.goToWanted())}beginAt(e){let t=s(C().query);this.time.isOver=!0,this.time.refresh(performance.now()).then(()=>{this.time.jump(t??e),t===null&&this.time.setSpeed(TS)})}hear(e){let{live:t}=this;t&&(e.type===`TICK`?(this.time.liveTick=e.tick,this.present.take(e,t),this.sawLive||=this.world===t,this.sawLive&&!this.time.isPast&&this.papers.answered&&this.attention.chooseFirst(t,this.society),this.changed()):t.terrain.take(e))}link(e){this.current=e,this.changed()}open(e){if(this.choose(e),!w(e))return;let[t,,n]=u(e);this.goTo(t,n)}choose(e){e!==this.see&&(this.see=e,N(ye(this.place,e,C().query,this.part),`push`)),(e===null||S(e))&&this.attention.follow(e),e&&ip(e)&&this.goToBuilding(e),this.changed()}goToBuilding(e){let t=this.papers.buildings.find(t=>t.id===e),n=this.lookingAt();if(!t)return;let{x:r,z:i}=sp(t);(!n||Math.hypot(n.x-r,n.z-i)>wS)&&this.goTo(r,i)}go(e,t=``){if(e===this.place&&t===this.part)return;if(this.time.isOver){location.href=ye(e,null,``,t);return}this.see=e===this.place||e===`world`||e===`society`&&this.see&&!S(this.see)?this.see:null,this.place=e,this.part=t;let n=e===`matches`?null:this.tickInAddress,r=he(e===`world`?C().query:``,`at`,n);N(ye(e,this.see,r,t),`push`),this.changed()}showMap(e){e!==this.isMap&&(this.isMap=e,N(ye(this.place,this.see,he(C().query,`view`,e?`map`:null)),`replace`),this.changed())}toggleLayer(e){this.layers.delete(e)||this.layers.add(e),N(ye(this.place,this.see,he(C().query,`layers`,[...this.layers].join(`,`))),`replace`),this.changed()}countDeeds(e){this.deed=e,this.changed()}nameOf(e){return Qx(e,this.world,this.society,this.papers.buildings)}cameraSaid=()=>``;linkHere(){let e=this.place===`world`?this.cameraSaid():``;return new URL(ye(this.place,this.see,he(C().query,`cam`,e||null),this.part),location.href).href}stayHere(){this.attention.watched||(this.attention.isChosen=!0),N(ye(this.place,this.see,he(C().query,`cam`,null),this.part),`replace`)}visit(e){N(e,`push`),this.readAddress()}watch(e){this.choose(e)}along(e){this.attention.follow(e),this.changed()}goTo=()=>{};watchNext(e){let t=this.world?.crowd.list??[];if(!t.length)return;let n=t.findIndex(e=>e.id===this.attention.watched),r=n<0?e>0?0:t.length-1:(n+e+t.length)%t.length;this.watch(t[r].id)}letGo(){this.attention.letGo()&&this.changed()}lookAround(e){!this.time.isPast&&!this.isMap&&this.subscription.followCamera(e)}focusOf(e){let{following:t,watched:n}=this.attention,r=t&&n?e(n):void 0;return r?{x:r[0],z:r[2]}:this.lookingAt()??{x:0,z:0}}},OS=200,kS=800,AS=1e3,jS=1e3;R();var MS=document.getElementById(`page`),NS=null,PS=null,FS=null,IS=!1,LS=y(C().query),RS=null,zS=null,BS=!0,VS=0,HS=new Fg({begin:e=>Q.begin(e),hear:e=>Q.hear(e),link:e=>Q.link(e),beginAt:e=>Q.beginAt(e)}),Q=new DS(()=>{BS=!0},e=>HS.subscribe(e)),US=new Hg(Q,()=>{BS=!0}),$={tour:US,folded:!1,lane:new J_(Q,()=>{BS=!0}),help:!1,join:!1,send:!1,whatIf:!1,layers:innerWidth>kS,retry:()=>HS.retry(),zoom:e=>NS?.camera.zoom(e,Q.isMap),toggleMap:()=>Q.showMap(!Q.isMap),toggleLayers:()=>{$.layers=!$.layers,QS()},counts:()=>NS?.map.counts(),hottest:()=>NS?.map.hottest??0,drawSmallInto:e=>{zS=e,NS?.drawSmallInto(e)},toggleHelp:()=>{$.help=!$.help,tC(),QS()},toggleJoin:()=>{$.join=!$.join,QS()},toggleSend:()=>{$.send=!$.send,QS()},toggleWhatIf:()=>{$.whatIf=!$.whatIf,QS()},kept:null,toggleCompare:()=>void GS(),second:null,compareMoments:()=>{qS(),YS()},attachSecond(e,t){$.second&&(PS=new wg(e,t,$.second)),PS&&(PS.steady=!0)},closeTop:()=>{if($.help||$.join||$.send||$.whatIf)$.help=$.join=$.send=$.whatIf=!1;else if($.kept)XS();else if($.second?.chosen)$.second.choose(null);else if($.second)qS();else if($.layers&&Q.isMap&&Q.place===`world`)$.layers=!1;else return!1;return QS(),!0},attach(e,t){let n=new wg(e,t,Q);NS=n,n.drawSmallInto(zS),Q.lookingAt=()=>n.camera.target,Q.cameraSaid=()=>n.camera.said,n.camera.heed(o(C().query))&&Q.stayHere(),Q.goTo=(e,t)=>{Q.letGo(),n.camera.lookAt(e,n.camera.wished.y,t)},RS=new Vr(e,n.camera,Q,{choose:(t,n)=>WS(t,n,e.clientWidth),cellAt:(e,t)=>n.map.cellAt(e,t),toggleHelp:$.toggleHelp,toggleLayers:$.toggleLayers,toggleTour:()=>US.toggle(),toggleCompare:$.toggleCompare,toggleGoingOn:()=>{$.folded=!$.folded,QS()},closeTop:$.closeTop})}};function WS(e,t,n){let{second:r}=$;if(r&&PS&&!Q.isMap&&r.covers(e/n)){let n=PS.pick(e,t);n!==null&&r.choose(n);return}let i=NS?.pick(e,t)??null;i!==null&&(r?.choose(null),Q.choose(i))}async function GS(){return $.kept?XS():$.second?qS():FS!==null&&!Q.isMap?KS(FS):YS()}function KS(e){let{time:t}=Q;$.second=new Fr(e,Q,()=>{BS=!0}),Q.time.otherSide=()=>$.second?.keepsUp??!0,!t.isPast&&!t.isOver&&(t.playing=!1,t.jump(t.tick)),JS(e),BS=!0}function qS(){$.second?.end(),$.second=null,PS?.dispose(),PS=null,Q.time.otherSide=()=>!0,JS(null),BS=!0}function JS(e){N(ye(Q.place,Q.see,he(C().query,`beside`,e),Q.part),`replace`)}async function YS(){let{time:e}=Q;if(!NS||Q.isMap||!e.tape.state||e.loading||!Q.world?.tick)return;Q.letGo(),NS.steady=!0;let[t,n]=[e.tick,!e.isPast];$.kept={picture:await NS.picture(),tick:t,wasLive:n,camera:NS.camera.said},e.playing=!1,e.jump(t-Math.round(e.dayTicks/24))}function XS(){let{kept:e}=$;e&&(ZS(),e.wasLive?Q.time.goLive():Q.time.jump(e.tick))}function ZS(){$.kept=null,NS&&(NS.steady=!1),BS=!0}function QS(){BS=!1,VS=performance.now(),ae(I(Hx,{viewer:Q,hands:$,now:VS}),MS)}var $S=performance.now();function eC(e){let t=e-$S;$S=e,RS?.update(t),Q.time.frame(performance.now()),NS?.frame(performance.now()),$.second&&NS&&!Q.isMap&&Q.place===`world`&&($.second.frame(performance.now()),PS?.camera.mirror(NS.camera),PS?.frame(performance.now())),Q.lookAround(performance.now()),$.kept&&(Q.isMap||Q.place!==`world`||NS?.camera.said!==$.kept.camera)&&ZS(),performance.now()-VS>(BS?OS:AS)&&QS(),requestAnimationFrame(eC)}async function tC(){$.help&&Q.current.state===`live`&&!document.hidden&&(Q.lateness=await B())}async function nC(){LS!==null&&NS&&Q.time.tape.state&&Q.world?.tick&&(KS(LS),LS=null),!(IS||se()!==`own`)&&(IS=!0,FS=(await qt(`v1/runs`))?.runs[0]?.id??null)}function rC(){US.step(performance.now()),!(Q.current.state!==`live`||document.hidden)&&(Q.papers.refresh(performance.now()),Q.time.refresh(performance.now()),nC())}QS(),requestAnimationFrame(eC),setInterval(tC,Te),setInterval(rC,jS),se()===`own`?HS.run():HS.runOther(se());export{hS as a,Z as c,V as d,Bt as f,vS as i,$_ as l,pS as n,_S as o,Ee as p,mS as r,gS as s,uS as t,Q_ as u};