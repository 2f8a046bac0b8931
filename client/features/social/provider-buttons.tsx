import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig } from '../../lib/api.ts'
import type { PublicConfig } from '../../lib/auth/endpoints.ts'
import type { Result } from '../../lib/auth/types.ts'
import { lastUsed } from '../../lib/last-used.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { Button } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { socialTexts } from './texts.ts'

type Provider = PublicConfig['providers'][number]

/** How many are shown before somebody asks for all of them. */
const first = 4

/** Starts at the provider; the browser leaves the page. */
function start(
  { id, kind }: Provider,
  { callbackURL = '/account/profile', signingUp }: WayProps,
): Promise<Result<unknown>> {
  // Some providers make accounts only where that is asked for.
  const target = { callbackURL, errorCallbackURL: '/error', ...(signingUp ? { requestSignUp: true } : {}) }
  return kind === 'oauth2'
    ? auth.signIn.oauth2({ providerId: id, ...target })
    : auth.signIn.social({ provider: id, ...target })
}

/** One button for each provider that is configured; the one that was used the last time is always among the first. */
export default function ProviderButtons(way: WayProps) {
  const t = useTexts(socialTexts)
  const { providers } = useConfig()
  const [all, setAll] = useState(false)
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const begin = useAction(async (provider: Provider) => {
    setLeavingTo(provider.id)
    const result = await start(provider, way)
    if (result.error) setLeavingTo(null)
    else lastUsed.set(provider.id)
    return result
  })
  const used = lastUsed.get()
  const sorted = [...providers].sort((a, b) => Number(b.id === used) - Number(a.id === used))
  // A fifth alone is shown at once: asking for it would take as much room.
  const shown = all || sorted.length === first + 1 ? sorted : sorted.slice(0, first)
  return (
    <div className="grid gap-3">
      <ul aria-label={t.providers} className="grid gap-3">
        {shown.map((provider, index) => (
          <li key={provider.id}>
            <Button
              wide
              // Whoever opened the rest goes on where it begins.
              autoFocus={all && index === first}
              busy={leavingTo === provider.id}
              disabled={leavingTo !== null}
              onClick={() => begin.run(provider)}
            >
              <ProviderMark id={provider.id} />
              {t.continueWith(provider.name)}
              {provider.id === used && <LastUsed />}
            </Button>
          </li>
        ))}
      </ul>
      {shown.length < sorted.length && (
        <Button look="quiet" wide onClick={() => setAll(true)}>
          {t.all(sorted.length - shown.length)}
        </Button>
      )}
      {begin.error && <ErrorPanel error={begin.error} errors={t.errors} />}
    </div>
  )
}
