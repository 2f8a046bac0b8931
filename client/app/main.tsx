import '../ui/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askEarly } from '../lib/api.ts'
import { takeOverFromFirstScreen } from '../lib/take-over.ts'
import { startLanguage } from '../lib/texts/texts.ts'
import { App } from './app.tsx'

askEarly()

void startLanguage().then(() => {
  const root = document.getElementById('app')
  if (!root) throw new Error('index.html has no #app')
  takeOverFromFirstScreen(root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
