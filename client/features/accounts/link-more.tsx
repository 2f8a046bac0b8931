import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { PublicConfig } from '../../lib/auth/endpoints.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { accountTexts } from './texts.ts'

type Provider = PublicConfig['providers'][number]

const here = '/account/security'

/** Starts linking; the browser leaves the page and comes back to it. */
async function link({ id, kind }: Provider) {
  const target = { callbackURL: `${here}?linked=${encodeURIComponent(id)}`, errorCallbackURL: '/error' }
  return kind === 'oauth2'
    ? auth.oauth2.link({ providerId: id, ...target })
    : auth.linkSocial({ provider: id, ...target })
}

/** The providers that are configured and not linked yet. */
export function LinkMore({ linked }: { linked: string[] }) {
  const t = useTexts(accountTexts)
  const { providers } = useConfig()
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const begin = useAction(async (provider: Provider) => {
    setLeavingTo(provider.id)
    const result = await link(provider)
    if (result.error) setLeavingTo(null)
    return result
  })
  const more = providers.filter(({ id }) => !linked.includes(id))
  if (more.length === 0) return null
  return (
    <div className="grid gap-3 border-t pt-5">
      <h3 className="font-medium">{t.more}</h3>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {more.map((provider) => (
          <li key={provider.id}>
            <Button
              wide
              className="h-full"
              aria-label={t.link(provider.name)}
              busy={leavingTo === provider.id}
              disabled={leavingTo !== null}
              onClick={() => begin.run(provider)}
            >
              {leavingTo !== provider.id && <ProviderMark id={provider.id} size={18} />}
              {provider.name}
            </Button>
          </li>
        ))}
      </ul>
      {begin.error && <ErrorPanel error={begin.error} errors={t.errors} />}
    </div>
  )
}
