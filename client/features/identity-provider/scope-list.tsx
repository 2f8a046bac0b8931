import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { useAction } from '../../lib/action.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { identityProviderTexts } from './texts.ts'

export interface Detail {
  type: string
  sentence: Readonly<Record<string, string>>
}

interface ScopeListProps {
  scopes: readonly string[]
  /** The words of the scopes of resource servers, by the configuration. */
  words?: Readonly<Record<string, string>>
  /** Bounded permissions as sentences by language (RFC 9396). */
  details?: readonly Detail[] | undefined
}

export function ScopeList({ scopes, words = {}, details = [] }: ScopeListProps) {
  const language = useLanguage()
  const t = useTexts(identityProviderTexts)
  const textOf = (scope: string) => {
    if (Object.hasOwn(words, scope)) return words[scope]
    return Object.hasOwn(t.scopes, scope) ? t.scopes[scope] : t.otherScope(scope)
  }
  const order = Object.keys(t.scopes)
  const sorted = [...scopes].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return (
    <ul className="grid gap-2 text-start">
      {details.map(({ type, sentence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two details may be equal, and the list does not change
        <Line key={`${type} ${index}`} strong>
          {sentence[language] ?? sentence.en}
        </Line>
      ))}
      {sorted.map((scope) => (
        <Line key={scope}>{textOf(scope)}</Line>
      ))}
    </ul>
  )
}

const Line = ({ strong = false, children }: { strong?: boolean; children: ReactNode }) => (
  <li className="grid grid-cols-[auto_1fr] items-start gap-2.5">
    <Check aria-hidden size={18} className="mt-0.5 text-soft" />
    {/* A sentence that has no translation keeps the order of its words. */}
    <span dir="auto" className={`inline-block wrap-anywhere first-letter:uppercase ${strong ? 'font-medium' : ''}`}>
      {children}
    </span>
  </li>
)

interface DecisionProps {
  answer: ReturnType<typeof useAction<[accept: boolean], unknown>>
  /** The label of the button that accepts. */
  accept: string
}

/** Deny, and the answer for which the user has come, which is the one solid button of the screen. */
export function Decision({ answer, accept }: DecisionProps) {
  const t = useTexts(identityProviderTexts)
  return (
    <>
      {answer.error && <ErrorPanel error={answer.error} errors={t.errors} />}
      <div className="grid grid-cols-2 gap-3">
        <Button wide busy={answer.busy} onClick={() => answer.run(false)}>
          {t.deny}
        </Button>
        <Button look="primary" wide busy={answer.busy} onClick={() => answer.run(true)}>
          {accept}
        </Button>
      </div>
    </>
  )
}
