import { useState } from 'react'
import type { AuthError, Result } from './auth/types.ts'

/** An asynchronous action of a button: its progress and its error. */
export function useAction<Args extends unknown[], Answer>(
  send: (...args: Args) => Promise<Result<Answer>>,
  done?: (answer: Answer, ...args: Args) => void,
) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<AuthError | null>(null)
  async function run(...args: Args) {
    if (busy) return
    setBusy(true)
    setError(null)
    const result = await send(...args)
    setBusy(false)
    if (result.error) setError(result.error)
    else done?.(result.data as Answer, ...args)
  }
  return {
    run: (...args: Args) => void run(...args),
    busy,
    error,
    reset: () => setError(null),
  }
}
