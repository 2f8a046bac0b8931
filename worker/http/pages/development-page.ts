import { html } from 'hono/html'

const style = `
  body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark;
    background: light-dark(#f7f7f5, #161615); color: light-dark(#1c1c1a, #ededea); }
  h1 { font-size: 1.25rem; }
  dt { margin-top: 1rem; font-weight: 600; }
  dd { margin: 0; color: light-dark(#62625d, #a3a39c); }
  a { color: inherit; }
`

const lines: readonly [path: string, title: string, what: string][] = [
  ['/dev/mailbox', 'Mailbox', 'Every mail and text message that was sent, with its links and codes.'],
  ['/dev/mails', 'Mails', 'One mail of each kind, in each language and with your brand.'],
  ['/dev/components', 'Components', 'Each component with its states, themes, widths and languages.'],
  ['/dev/brand', 'Brand', 'Try out colours, fonts and the layout, and copy the configuration.'],
  ['/dev/texts', 'Texts', 'What is wrong with the texts of your configuration, as JSON.'],
  ['/sign-in', 'App', 'The pages of your users.'],
  ['/admin', 'Console', 'For administrators: an address in ADMIN_EMAILS becomes one.'],
  ['/api/auth/reference', 'API reference', 'Every endpoint of this configuration.'],
  ['/api/auth/ok', 'Health', 'Answers while the Worker does. npx gatehouse-auth doctor checks the deployment.'],
]

/** What a development server has. @param hasDocs only the server of the repository builds the documentation */
export const developmentPage = (hasDocs: boolean): string =>
  String(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Development</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Development</h1>
      <dl>${[...lines, ...(hasDocs ? [['/docs/', 'Documentation', 'Guides and reference, with a search.']] : [])].map(
        ([path, title, what]) => html`<dt><a href="${path}">${title}</a></dt><dd>${what}</dd>`,
      )}</dl>
    </main>
  </body>
</html>`)
