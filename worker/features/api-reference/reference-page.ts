import { html } from 'hono/html'

/** What the page reads of the OpenAPI document. */
export interface Documented {
  openapi: string
  info: { title: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  tags: string[]
  summary: string
  description: string
  parameters: { name: string; in: string; required: boolean; schema: { type?: string } }[]
  requestBody?: { content: { 'application/json': { schema: unknown } } }
  responses: Record<string, { description: string; content?: Record<string, { schema?: unknown }> }>
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

function operation(
  path: string,
  method: string,
  { summary, description, parameters, requestBody, responses }: Operation,
) {
  return html`<details>
    <summary><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> <span>${summary}</span></summary>
    <p>${description}</p>
    ${parameters.map(
      ({ name, in: where, required }) => html`<p><code>${name}</code> in ${where}${required ? ', required' : ''}</p>`,
    )}
    ${requestBody ? html`<h4>Body</h4><pre tabindex="0">${json(requestBody.content['application/json'].schema)}</pre>` : ''}
    ${Object.entries(responses).map(
      ([status, { description, content }]) => html`<h4>${status}</h4>
        <pre tabindex="0">${description}${
          Number(status) < 300 && content?.['application/json']?.schema
            ? `\n\n${json(content['application/json'].schema)}`
            : ''
        }</pre>`,
    )}
  </details>`
}

/** The reference as one page without scripts: it works offline and under the strictest policy. */
export function referencePage({ info, servers, paths }: Documented): string {
  const byFeature = new Map<string, ReturnType<typeof operation>[]>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, entry] of Object.entries(methods)) {
      const feature = entry.tags[0] ?? ''
      byFeature.set(feature, [...(byFeature.get(feature) ?? []), operation(path, method, entry)])
    }
  }
  return String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${info.title} API reference</title>
    <style>
      body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 15px/1.5 system-ui, sans-serif;
        background: light-dark(#fff, #161615); color: light-dark(#1c1c1a, #ededea); }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h4 { margin: .75rem 0 .25rem; }
      details { border-top: 1px solid light-dark(#e4e4e0, #3a3a37); padding: .5rem 0; }
      summary { cursor: pointer; overflow-wrap: anywhere; } summary span { color: light-dark(#62625d, #a3a39c); }
      b { display: inline-block; min-width: 3.2rem; font-size: .8rem; }
      pre { overflow: auto; padding: .75rem; background: light-dark(#f7f7f5, #212120); font-size: .8rem; }
    </style>
  </head>
  <body>
    <h1>${info.title} API reference</h1>
    <p>Base: <code>${servers[0]?.url ?? ''}</code>. The same as data: <a href="${servers[0]?.url ?? ''}/open-api/generate-schema">OpenAPI 3.1</a>.</p>
    ${[...byFeature].map(([feature, entries]) => html`<h2>${feature}</h2>${entries}`)}
  </body>
</html>`)
}
