import { Check } from 'lucide-react'
import { useTexts } from '../../lib/texts/texts.ts'
import { identityProviderTexts } from './texts.ts'

/** What an application may do, a sentence each. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const t = useTexts(identityProviderTexts)
  const order = Object.keys(t.scopes)
  const sorted = [...scopes].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return (
    <ul className="grid gap-2 text-start">
      {sorted.map((scope) => (
        <li key={scope} className="grid grid-cols-[auto_1fr] items-start gap-2.5">
          <Check aria-hidden size={18} className="mt-0.5 text-soft" />
          {Object.hasOwn(t.scopes, scope) ? t.scopes[scope] : t.otherScope(scope)}
        </li>
      ))}
    </ul>
  )
}
