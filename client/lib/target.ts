import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { auth, useConfig } from './api.ts'
import { useContinuation } from './continuation.ts'

/**
 * Where a sign-in leads: the name of the application that waits for it, or the host of another site; null for neither,
 * undefined during the request. The address alone is not trustworthy: the server names the application.
 */
export function useTarget(): string | null | undefined {
  const { features } = useConfig()
  const { host } = useContinuation()
  const asks = new URLSearchParams(useSearch()).has('client_id') && features.identityProvider === true
  const [name, setName] = useState<string | null>()
  useEffect(() => {
    if (!asks) return
    let left = false
    auth.oauth2.loginPrompt().then(({ data }) => {
      if (!left) setName(data?.client?.name ?? null)
    })
    return () => {
      left = true
    }
  }, [asks])
  if (asks && name === undefined) return undefined
  return (asks && name) || host
}
