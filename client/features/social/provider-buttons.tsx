import { useId, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useConfig } from '../../lib/api.ts'
import type { PublicConfig } from '../../lib/auth/endpoints.ts'
import { useContinuation } from '../../lib/continuation.ts'
import { deployment } from '../../lib/deployment.ts'
import { inList } from '../../lib/in-list.ts'
import { useLastUsed } from '../../lib/last-used.ts'
import { usePlace } from '../../lib/place.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { Button } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { byUse, compactFrom, forSignUp, withoutAddress } from './layout.ts'
import { startAtProvider } from './start.ts'
import { socialTexts } from './texts.ts'

type Provider = PublicConfig['providers'][number]

/** One button per provider; the last used one is always visible. */
export default function ProviderButtons(way: WayProps) {
  const t = useTexts(socialTexts)
  const language = useLanguage()
  const config = useConfig()
  const { providers, features } = way.signingUp ? forSignUp(config) : config
  const noteId = useId()
  const { query } = useContinuation()
  const back = usePlace().page?.() ?? (way.signingUp ? '/sign-up' : '/sign-in') + query
  const [all, setAll] = useState(false)
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const begin = useAction(async (provider: Provider) => {
    setLeavingTo(provider.id)
    const result = await startAtProvider(provider, { ...way, errorCallbackURL: back })
    if (result.error) setLeavingTo(null)
    return result
  })
  const used = useLastUsed()
  const sorted = byUse(providers, used)
  const compact = sorted.length >= compactFrom
  const shown = all ? sorted : sorted.slice(0, compactFrom)
  const unknowing = withoutAddress(shown, features)
  return (
    <div className="grid gap-3">
      <ul aria-label={t.providers} className={compact ? 'grid grid-cols-2 gap-3' : 'grid gap-3'}>
        {shown.map((provider, index) => (
          <li key={provider.id}>
            {/* A form needs no script. */}
            <form
              method="post"
              action={`${deployment.api}/sign-in/provider`}
              className="h-full"
              onSubmit={(event) => {
                event.preventDefault()
                begin.run(provider)
              }}
            >
              <input type="hidden" name="provider" value={provider.id} />
              {way.callbackURL && <input type="hidden" name="callbackURL" value={way.callbackURL} />}
              <Button
                type="submit"
                wide
                className={compact ? 'h-full px-2!' : 'h-full'}
                // The focus moves to the first of the revealed buttons.
                autoFocus={all && index === compactFrom}
                busy={leavingTo === provider.id}
                disabled={leavingTo !== null}
                aria-describedby={unknowing.includes(provider) ? noteId : undefined}
              >
                {leavingTo !== provider.id && <ProviderMark id={provider.id} size={18} />}
                <span className={compact ? 'sr-only' : undefined}>{t.continueWith(provider.name)}</span>
                {compact && (
                  <span aria-hidden className="truncate">
                    {provider.name}
                  </span>
                )}
                {provider.id === used && <LastUsed />}
              </Button>
            </form>
          </li>
        ))}
      </ul>
      {shown.length < sorted.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="needs-script h-8 justify-self-center rounded px-2 text-soft hover:text-ink"
        >
          {t.all(sorted.length - shown.length)}
        </button>
      )}
      {unknowing.length > 0 && (
        <p id={noteId} className="text-center text-sm text-balance text-soft">
          {t.withoutEmail(
            inList(
              unknowing.map(({ name }) => name),
              language,
            ),
          )}
        </p>
      )}
      {begin.error && <ErrorPanel error={begin.error} />}
    </div>
  )
}
