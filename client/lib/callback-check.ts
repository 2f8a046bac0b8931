import { useEffect, useState } from 'react'
import { auth } from './api.ts'
import type { AuthError } from './auth/types.ts'

export interface CallbackError {
  error: AuthError
}

/** The state of a callback of another site. Only a 200 response makes it `allowed`. */
type CheckResult = 'allowed' | 'rejected' | CallbackError

/** Final results. An error is not final: the next check asks again. */
const known = new Map<string, CheckResult>()

/** The Worker has answered with a screen for this callback. */
export const allowCallback = (callbackURL: string): void => void known.set(callbackURL, 'allowed')

const isHttp = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

async function check(callbackURL: string): Promise<CheckResult> {
  if (!isHttp(callbackURL)) return 'rejected'
  const { error } = await auth.checkCallback({ query: { callbackURL } })
  if (!error) return 'allowed'
  return error.code === 'INVALID_CALLBACKURL' ? 'rejected' : { error }
}

/**
 * Whether the browser may be redirected to a callback.
 * @param callbackURL of another site; undefined without a callback
 * @returns the result, null during the request, and a function that repeats it
 */
export function useCallbackCheck(callbackURL: string | undefined): [result: CheckResult | null, retry: () => void] {
  const [checked, setChecked] = useState<{ callbackURL: string; result: CheckResult } | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    if (callbackURL === undefined || known.has(callbackURL)) return
    let here = true
    setChecked(null)
    void check(callbackURL).then((result) => {
      if (typeof result === 'string') known.set(callbackURL, result)
      if (here) setChecked({ callbackURL, result })
    })
    return () => {
      here = false
    }
  }, [callbackURL, round])
  const result =
    callbackURL === undefined
      ? 'allowed'
      : (known.get(callbackURL) ?? (checked?.callbackURL === callbackURL ? checked.result : null))
  return [result, () => setRound((count) => count + 1)]
}
