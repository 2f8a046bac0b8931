import { raw } from 'hono/html'

/** The style sheet of the page, which is the only thing it loads: itself. */
export const referenceStyle = raw(`
  :root { --line: light-dark(#d9d9d4, #3a3a37); --soft: light-dark(#f4f4f1, #212120); --quiet: light-dark(#5c5c57, #a9a9a2);
    --link: light-dark(#2350c0, #9dbcff); }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 4rem; font: 15px/1.55 system-ui, sans-serif;
    background: light-dark(#fff, #161615); color: light-dark(#1c1c1a, #ededea); overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2.25rem 0 .5rem; }
  h3 { font-size: .85rem; margin: 1.1rem 0 .3rem; }
  a { color: var(--link); }
  code, pre { font: .85em/1.5 ui-monospace, monospace; }
  form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: 1rem 0 .5rem; }
  label { flex-basis: 100%; font-weight: 600; }
  input, button { font: inherit; color: inherit; min-height: 2.75rem; padding: .4rem .75rem; border-radius: .4rem;
    border: 1px solid light-dark(#85857f, #7c7c76); background: light-dark(#fff, #1d1d1c); }
  input { flex: 1 1 12rem; min-width: 0; } button { cursor: pointer; background: var(--soft); }
  nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; } nav a { padding: .25rem 0; }
  details { border-top: 1px solid var(--line); }
  summary { cursor: pointer; padding: .65rem 0; } summary span { color: var(--quiet); }
  summary b { display: inline-block; min-width: 3rem; font-size: .8rem; }
  details > div { padding: 0 0 1rem 1rem; border-left: 2px solid var(--line); margin-bottom: .75rem; }
  details > div > p { margin: .25rem 0; } ul { margin: 0; padding-left: 1.1rem; }
  pre { margin: 0; overflow: auto; padding: .75rem; background: var(--soft); border-radius: .4rem; overflow-wrap: normal; }
  :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`)
