export const pageStyle = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f4, #12151a);
  --card: light-dark(#ffffff, #191d24);
  --line: light-dark(#e3e3dc, #2b313b);
  --text: light-dark(#1c2026, #e6e8ec);
  --quiet: light-dark(#62676f, #9aa2ae);
  --code: light-dark(#f1f1ec, #101318);
  --query: light-dark(#0b6b52, #6fd6b4);
  --mutation: light-dark(#9a4a06, #f0b072);
  --subscription: light-dark(#5a3fb0, #b7a3f5);
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif;
}
main, header, footer { max-width: 54rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 3.5rem; }
header svg { display: block; width: 3.25rem; height: 3.25rem; margin-bottom: 1.1rem; }
h1 { margin: 0; font-size: clamp(1.7rem, 5vw, 2.3rem); line-height: 1.15; letter-spacing: -0.02em; overflow-wrap: anywhere; }
header p { margin: 0.5rem 0 0; color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1.5rem 0 0; }
nav a {
  padding: 0.3rem 0.85rem;
  border: 1px solid var(--line);
  border-radius: 2rem;
  background: var(--card);
  color: inherit;
  font-size: 0.9rem;
  text-decoration: none;
}
nav a:hover { border-color: currentColor; }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--query); outline-offset: 2px; }
h2 { margin: 3rem 0 0.9rem; font-size: 1.05rem; letter-spacing: 0.01em; }
h2 span { color: var(--quiet); font-weight: 400; margin-left: 0.35rem; }
article {
  margin: 0 0 0.9rem;
  padding: 1rem 1.15rem 1.05rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--card);
}
article.query { --kind: var(--query); }
article.mutation { --kind: var(--mutation); }
article.subscription { --kind: var(--subscription); }
h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.3rem 0.65rem; margin: 0; font-size: 1rem; }
h3 b {
  min-width: 3.1rem;
  padding: 0.05rem 0.5rem;
  border-radius: 0.35rem;
  background: color-mix(in srgb, var(--kind) 13%, transparent);
  color: var(--kind);
  font: 600 0.74rem/1.6 ui-monospace, 'SF Mono', Menlo, Consolas, monospace;
  text-align: center;
}
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.45rem 0.9rem 0.45rem 0; border-bottom: 1px solid var(--line); text-align: left; }
thead th { color: var(--quiet); font-weight: 400; }
td a { color: inherit; }
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
h3 code { font-size: 0.95rem; font-weight: 600; overflow-wrap: anywhere; }
.signature { margin: 0.55rem 0 0; color: var(--quiet); font-size: 0.85rem; overflow-wrap: anywhere; }
.access { margin: 0.55rem 0 0; font-size: 0.85rem; overflow-wrap: anywhere; }
.description { margin: 0.55rem 0 0; white-space: pre-line; overflow-wrap: anywhere; }
pre {
  margin: 0.8rem 0 0;
  padding: 0.6rem 0.8rem;
  border-radius: 0.5rem;
  background: var(--code);
  font-size: 0.82rem;
  line-height: 1.5;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  user-select: all;
}
.source { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.1rem 1rem; margin: 0.7rem 0 0; color: var(--quiet); font-size: 0.8rem; }
.source code { overflow-wrap: anywhere; }
footer { margin-top: 3rem; padding-bottom: 3rem; color: var(--quiet); font-size: 0.85rem; }
`;
