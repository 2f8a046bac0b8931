import '../ui/app.css'
import { lazy, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { askEarly, auth } from '../lib/api.ts'
import { allowCallback } from '../lib/callback-check.ts'
import { startLanguage } from '../lib/texts/texts.ts'
import { App } from './app.tsx'
import { notFound, routes } from './routes.ts'

const MemberFrame = lazy(() => import('./member-frame.tsx'))

askEarly()

void startLanguage().then(() => {
  const root = document.getElementById('app')
  if (!root) throw new Error('index.html has no #app')
  const app = (
    <StrictMode>
      <App {...{ routes, notFound, MemberFrame }} />
    </StrictMode>
  )
  const { dataset, lang } = document.documentElement
  if (dataset.prerendered === lang && dataset.entered === undefined) hydrateRoot(root, app)
  else {
    // The page of the Worker is empty, in another language, or of another step.
    delete dataset.prerendered
    root.replaceChildren()
    createRoot(root).render(app)
  }
})
