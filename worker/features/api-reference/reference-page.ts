import { html, raw } from 'hono/html'
import { bodyOf, type Documented, type DocumentedEndpoint, endpointsOf } from './documented.ts'
import { clientExample, curlExample } from './examples.ts'
import { shapeOf } from './shape.ts'

/** The style sheet of the page, which loads no other file. */
const referenceStyle = raw(`
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

type Html = ReturnType<typeof html>

const box = (label: string, text: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`

function parameters({ operation }: DocumentedEndpoint, { components }: Documented): Html | string {
  if (operation.parameters.length === 0) return ''
  return html`<h3>Parameters</h3><ul>${operation.parameters.map(
    ({ name, in: where, required, schema }) =>
      html`<li><code>${name}</code> in the ${where}${required ? ', required' : ''}: ${shapeOf(schema, components.schemas)}</li>`,
  )}</ul>`
}

function body({ method, path, operation }: DocumentedEndpoint, { components }: Documented): Html | string {
  const found = bodyOf(operation)
  if (!found) return ''
  return html`<h3>Body, <code>${found.type}</code></h3>${box(`Body of ${method} ${path}`, shapeOf(found.schema, components.schemas))}`
}

function successes({ method, path, operation }: DocumentedEndpoint, { components }: Documented): Html[] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content }]) => {
      const schema = content?.['application/json']?.schema
      return html`<h3>${status}</h3>${schema ? box(`Answer ${status} of ${method} ${path}`, shapeOf(schema, components.schemas)) : html`<p>${description}</p>`}`
    })
}

/** Every error with its status: `401 INVALID_EMAIL_OR_PASSWORD: Invalid email or password`. */
const errorsOf = ({ operation }: DocumentedEndpoint): [status: string, code: string, message: string][] =>
  Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) =>
      description.split('\n').map((line): [string, string, string] => {
        const [code = '', ...message] = line.split(': ')
        return [status, code, message.join(': ')]
      }),
    )

function operation(endpoint: DocumentedEndpoint, document: Documented, open: boolean): Html {
  const { method, path, operation: one } = endpoint
  const title = `${method} ${path}`
  return html`<details id="${one.operationId}"${open ? html` open` : ''}>
    <summary><b>${method}</b> <code>${path}</code> <span>${one.summary}</span></summary>
    <div>
      <p>${one.description}</p>
      ${parameters(endpoint, document)}${body(endpoint, document)}${successes(endpoint, document)}
      <h3>Errors</h3>
      <ul>${errorsOf(endpoint).map(([status, code, message]) => html`<li>${status} <code>${code}</code> ${message}</li>`)}</ul>
      <h3>With curl</h3>${box(`${title} with curl`, curlExample(endpoint, document))}
      <h3>With the client</h3>${box(`${title} with the client`, clientExample(endpoint))}
    </div>
  </details>`
}

/** Whether an endpoint contains all of the words in its path, its texts or its errors. */
function matches(endpoint: DocumentedEndpoint, words: readonly string[]): boolean {
  const { method, path, operation: one } = endpoint
  const codes = errorsOf(endpoint).map(([, code]) => code)
  const text = [method, path, one.operationId, one.summary, one.description, ...one.tags, ...codes].join(' ')
  return words.every((word) => text.toLowerCase().includes(word))
}

/** A small number of endpoints is shown in full. */
const fewEnough = 3

/** The reference as one page without scripts, for the strictest policy. @param q words to look for; empty: all */
export function referencePage(document: Documented, q: string): string {
  const { info, servers } = document
  const base = servers[0]?.url ?? ''
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = endpointsOf(document).filter((endpoint) => matches(endpoint, words))
  const byFeature = Map.groupBy(found, ({ operation: { tags } }) => tags[0] ?? '')
  const open = words.length > 0 && found.length <= fewEnough
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${info.title} API reference</title>
    <style>${referenceStyle}</style>
  </head>
  <body>
    <header>
      <h1>${info.title} API reference</h1>
      <p>Base: <code>${base}</code>. Also available as <a href="${base}/open-api/generate-schema">OpenAPI 3.1</a>.</p>
      <form role="search">
        <label for="q">Search endpoints</label>
        <input id="q" name="q" type="search" value="${q}" maxlength="100" placeholder="path, word or error code" />
        <button>Search</button>
        ${q ? html`<a href="?">Show all</a>` : ''}
      </form>
      <p role="status">${found.length === 1 ? '1 endpoint' : `${found.length} endpoints`}</p>
      <nav aria-label="Features">${[...byFeature.keys()].map((feature) => html`<a href="#${feature}">${feature}</a> `)}</nav>
    </header>
    <main>${[...byFeature].map(
      ([feature, endpoints]) => html`<section aria-labelledby="${feature}">
        <h2 id="${feature}">${feature}</h2>
        ${endpoints.map((endpoint) => operation(endpoint, document, open))}
      </section>`,
    )}</main>
  </body>
</html>`)
}
