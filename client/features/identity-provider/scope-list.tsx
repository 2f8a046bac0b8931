import { Check } from 'lucide-react'
import type { useAction } from '../../lib/action.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorPanel } from '../../ui/state.tsx'
import { identityProviderTexts } from './texts.ts'

interface ScopeListProps {
  scopes: readonly string[]
  /** The words of the scopes of resource servers, by the configuration. */
  words?: Readonly<Record<string, string>>
}

export function ScopeList({ scopes, words = {} }: ScopeListProps) {
  const t = useTexts(identityProviderTexts)
  const textOf = (scope: string) => {
    if (Object.hasOwn(words, scope)) return words[scope]
    return Object.hasOwn(t.scopes, scope) ? t.scopes[scope] : t.otherScope(scope)
  }
  const order = Object.keys(t.scopes)
  const sorted = [...scopes].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return (
    <ul className="grid gap-2 text-start">
      {sorted.map((scope) => (
        <li key={scope} className="grid grid-cols-[auto_1fr] items-start gap-2.5">
          <Check aria-hidden size={18} className="mt-0.5 text-soft" />
          <span className="inline-block first-letter:uppercase">{textOf(scope)}</span>
        </li>
      ))}
    </ul>
  )
}

interface DecisionProps {
  answer: ReturnType<typeof useAction<[accept: boolean], unknown>>
  /** The label of the button that accepts. */
  accept: string
}

/** Two buttons of equal weight: Deny, and the other answer. */
export function Decision({ answer, accept }: DecisionProps) {
  const t = useTexts(identityProviderTexts)
  return (
    <>
      {answer.error && <ErrorPanel error={answer.error} errors={t.errors} />}
      <div className="grid grid-cols-2 gap-3">
        <Button wide busy={answer.busy} onClick={() => answer.run(false)}>
          {t.deny}
        </Button>
        <Button wide busy={answer.busy} onClick={() => answer.run(true)}>
          {accept}
        </Button>
      </div>
    </>
  )
}
