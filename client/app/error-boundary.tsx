import { Component, type ReactNode, useEffect } from 'react'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/state.tsx'

/** A screen that broke, or whose code could not be loaded (a new version took it away): say so, offer to load it anew. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <Failed /> : this.props.children
  }
}

function Failed() {
  const t = useTexts()
  // Code that could not be loaded for want of a connection can be loaded when there is one.
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <main className="mx-auto grid w-full max-w-md gap-4 p-6">
      <h1 className="text-2xl font-semibold tracking-tight">{t.somethingWrong}</h1>
      <Note tone="danger" live>
        {t.newVersion}
      </Note>
      <Button look="primary" onClick={() => location.reload()}>
        {t.reload}
      </Button>
    </main>
  )
}
