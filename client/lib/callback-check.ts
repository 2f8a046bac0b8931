import { useEffect, useState } from 'react'
import { auth } from './api.ts'

type Verdict = 'checking' | 'allowed' | 'refused'
const verdicts = new Map<string, Verdict>()

/**
 * Whether people may be sent to an address of another site, which the server alone can say. Without an answer they may
 * go on, and the server says no when it comes to it.
 */
export function useCallbackCheck(callbackURL: string | undefined): Verdict {
  const [, setRound] = useState(0)
  useEffect(() => {
    if (callbackURL === undefined || verdicts.has(callbackURL)) return
    let here = true
    void auth.checkCallback({ query: { callbackURL } }).then(({ error }) => {
      verdicts.set(callbackURL, error?.code === 'INVALID_CALLBACKURL' ? 'refused' : 'allowed')
      if (here) setRound((round) => round + 1)
    })
    return () => {
      here = false
    }
  }, [callbackURL])
  return callbackURL === undefined ? 'allowed' : (verdicts.get(callbackURL) ?? 'checking')
}
