import '../ui/app.css'
import { lazy, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { askEarly, auth } from '../lib/api.ts'
import { allowCallback } from '../lib/callback-check.ts'
import { continuationOf } from '../lib/continuation.ts'
import { given } from '../lib/given.ts'
import { startLanguage } from '../lib/texts/texts.ts'
import { App } from './app.tsx'
import { aroundNav, notFound, routes } from './routes.ts'

const MemberFrame = lazy(() => import('./member-frame.tsx'))

/** What the Worker knew when it rendered the page, and the code of what it contains. */
async function prepare(): Promise<void> {
  if (!given.hasSession) auth.$session.set(null)
  const { callbackURL, host } = continuationOf(location.search, location.origin)
  // The Worker writes no screen for a callback that it does not trust (worker/http/pages/first-screen.ts).
  if (host) allowCallback(callbackURL!)
  const screen = routes.find(({ path, frame }) => path === location.pathname && frame === 'visitor')
  // Without its code, the first change of a part would replace it.
  await screen?.load?.().then(
    ({ ready }) => ready?.(),
    () => undefined,
  )
}

askEarly()

void startLanguage().then(async () => {
  const root = document.getElementById('app')
  if (!root) throw new Error('index.html has no #app')
  const app = (
    <StrictMode>
      <App {...{ routes, notFound, MemberFrame }} router={{ aroundNav }} />
    </StrictMode>
  )
  const { dataset, lang } = document.documentElement
  if (dataset.prerendered === lang && dataset.entered === undefined) {
    await prepare()
    hydrateRoot(root, app)
  } else {
    // The page of the Worker is empty, in another language, or of another step.
    delete dataset.prerendered
    root.replaceChildren()
    createRoot(root).render(app)
  }
})
