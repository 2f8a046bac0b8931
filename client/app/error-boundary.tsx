import { Component, type ReactNode, useEffect } from 'react'
import { useOnline } from '../lib/online.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/state.tsx'

interface ErrorBoundaryProps {
  /** There is no frame around it. */
  alone?: boolean
  children: ReactNode
}

/**
 * Catches a screen that fails or whose code cannot be loaded. After a deployment a reload helps; without a connection
 * the screen is loaded when it is back.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { alone, children } = this.props
    if (!this.state.failed) return children
    return alone ? (
      <main className="p-6">
        <Failed />
      </main>
    ) : (
      <Failed />
    )
  }
}

function Failed() {
  const t = useTexts()
  const online = useOnline()
  useEffect(() => {
    const reload = () => location.reload()
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [])
  return (
    <div className="mx-auto grid w-full max-w-md gap-4">
      <h1 className="text-2xl font-semibold tracking-tight">{online ? t.somethingWrong : t.noConnectionTitle}</h1>
      <Note tone={online ? 'danger' : 'warning'} live>
        {online ? t.newVersion : t.opensOnline}
      </Note>
      {online && (
        <Button look="primary" onClick={() => location.reload()}>
          {t.reload}
        </Button>
      )}
    </div>
  )
}
