import { useConfig } from '../lib/api.ts'
import type { AuthError } from '../lib/auth/types.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Sheet } from './page.tsx'
import { ErrorPanel } from './state.tsx'

const texts = defineTexts('unavailable', {
  title: '{name} is not available right now',
  offlineTitle: 'No connection',
  still: 'If it stays like this:',
})

/** Replaces a screen that cannot be shown without an answer of the server, such as the session. */
export function Unavailable({ error, onRetry }: { error: AuthError; onRetry(): void }) {
  const t = useTexts(texts)
  const { name, brand } = useConfig()
  return (
    <Sheet title={error.status === 0 ? t.offlineTitle : t.title(name)}>
      <ErrorPanel error={error} onRetry={onRetry} />
      {brand.support && (
        <p className="text-center text-soft">
          {t.still}{' '}
          <a href={brand.support} className="link">
            {t.support}
          </a>
        </p>
      )}
    </Sheet>
  )
}
