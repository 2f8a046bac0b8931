import { useEffect, useState } from 'react'
import { auth, useConfig } from './api.ts'
import type { AnswerOf, FeatureSwitches } from './auth/endpoints.ts'
import { looksLikeEmail } from './form.ts'

export type FoundOrganization = AnswerOf<'/sso/discover'>

const none: FoundOrganization = { connection: null, required: false }
const known = new Map<string, FoundOrganization>()

/**
 * The single sign-on of the organization of an address, which depends on its domain only. Without an answer of the server
 * the other ways remain.
 */
export async function findOrganization(identifier: string, features: FeatureSwitches): Promise<FoundOrganization> {
  if (!features.singleSignOn || !looksLikeEmail(identifier)) return none
  const { data } = await auth.sso.discover({ email: identifier })
  if (data) known.set(identifier, data)
  return data ?? none
}

/** The same for a component; null while it loads. */
export function useOrganizationOf(identifier: string | undefined): FoundOrganization | null {
  const { features } = useConfig()
  const at = identifier ?? ''
  const now = !features.singleSignOn || !looksLikeEmail(at) ? none : (known.get(at) ?? null)
  const [found, setFound] = useState<{ at: string; organization: FoundOrganization } | null>(null)
  const isKnown = now !== null
  useEffect(() => {
    if (isKnown) return
    let current = true
    void findOrganization(at, features).then((organization) => current && setFound({ at, organization }))
    return () => {
      current = false
    }
  }, [at, isKnown, features])
  return now ?? (found?.at === at ? found.organization : null)
}
