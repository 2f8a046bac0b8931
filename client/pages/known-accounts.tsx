import { X } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { auth, useConfig } from '../lib/api.ts'
import type { SignInAnswer } from '../lib/auth/endpoints.ts'
import { useContinuation } from '../lib/continuation.ts'
import { justSent } from '../lib/just-sent.ts'
import { type KnownAccount, knownAccounts } from '../lib/known-accounts.ts'
import type { UsedMethod } from '../lib/last-used.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { typed } from '../lib/typed.ts'
import { IconButton } from '../ui/button.tsx'
import { ErrorPanel } from '../ui/state.tsx'
import type { Chosen } from './choose-account.ts'
import { knownAccountsTexts } from './known-accounts.texts.ts'

interface KnownAccountsProps {
  accounts: readonly KnownAccount[]
  /** Opens the second step of the form. */
  onEntered(identifier: string): void
  onSignedIn(used: UsedMethod, answer: SignInAnswer): void
}

const load = () => import('./choose-account.ts')
const prepare = () => void load().catch(() => undefined)

/** The accounts that have signed in with this browser: one press begins the sign-in. */
export default function KnownAccounts({ accounts, onEntered, onSignedIn }: KnownAccountsProps) {
  const t = useTexts(knownAccountsTexts)
  const config = useConfig()
  const continuation = useContinuation()
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState<string | null>(null)
  const [refused, setRefused] = useState<Extract<Chosen, { kind: 'refused' }> | null>(null)
  const nameOf = ({ method }: KnownAccount) =>
    (t.methods as Partial<Record<string, string>>)[method] ?? config.providers.find(({ id }) => id === method)?.name

  async function choose(account: KnownAccount) {
    if (busy !== null) return
    setBusy(account.id)
    setRefused(null)
    const chosen = await load().then(
      ({ chooseAccount }) => chooseAccount(account, config, continuation, `/sign-in${continuation.query}`),
      (): Chosen => ({ kind: 'refused', error: { status: 0, statusText: '' } }),
    )
    if (chosen.kind === 'left') return
    setBusy(null)
    if (chosen.kind === 'signed-in') onSignedIn(chosen.used, chosen.answer)
    else if (chosen.kind === 'enter') onEntered(chosen.identifier)
    else if (chosen.kind === 'refused') setRefused(chosen)
    else {
      typed.set(chosen.to)
      navigate(`${chosen.path}${continuation.query}`, { state: justSent(chosen.to) })
    }
  }

  async function forget(id?: string) {
    const { error } = await auth.knownAccounts.forget(id === undefined ? {} : { id })
    if (error) setRefused({ kind: 'refused', error })
    else knownAccounts.set({ accounts: id === undefined ? [] : accounts.filter((account) => account.id !== id) })
  }

  return (
    <div className="needs-script grid gap-2">
      <ul aria-label={t.label} className="grid gap-2">
        {accounts.map((account, index) => {
          const name = account.name ?? account.hint
          return (
            <li key={account.id} className="relative grid">
              <button
                type="button"
                // The first one takes the focus of the page, as a field does (ui/page.tsx).
                name="account"
                aria-busy={busy === account.id || undefined}
                aria-disabled={busy !== null || undefined}
                onFocus={prepare}
                onPointerEnter={prepare}
                onClick={() => void choose(account)}
                className={`flex min-h-14 min-w-0 items-center gap-3 rounded border ps-3 pe-12 text-start shadow-faint hover:bg-sunken aria-disabled:cursor-default ${index === 0 ? 'border-accent bg-accent-wash' : 'border-line bg-surface'}`}
              >
                <span
                  aria-hidden
                  className="grid size-8 flex-none place-items-center rounded-full bg-accent-fill text-sm font-medium text-on-fill uppercase"
                >
                  {busy === account.id ? (
                    <span className="size-4 rounded-full border-2 border-current border-e-transparent motion-safe:animate-spin" />
                  ) : (
                    [...name][0]
                  )}
                </span>
                <span className="grid min-w-0">
                  <span className="truncate font-medium">{t.continueAs(name)}</span>
                  <span className="flex min-w-0 gap-1.5 text-sm text-soft">
                    <bdi className="truncate">{account.hint}</bdi>
                    <span aria-hidden>·</span>
                    <span className="flex-none">{nameOf(account) ?? t.methods.email}</span>
                  </span>
                </span>
              </button>
              <IconButton
                label={t.remove(name)}
                onClick={() => void forget(account.id)}
                className="absolute inset-y-0 end-1.5 my-auto text-soft!"
              >
                <X aria-hidden size={16} />
              </IconButton>
            </li>
          )
        })}
      </ul>
      {refused && <Refused {...refused} onEntered={onEntered} />}
      <button
        type="button"
        onClick={() => void forget()}
        className="link -mb-2 min-h-10 justify-self-center text-sm text-soft"
      >
        {t.notMine}
      </button>
    </div>
  )
}

function Refused({
  error,
  messages = knownAccountsTexts,
  identifier,
  onEntered,
}: Extract<Chosen, { kind: 'refused' }> & Pick<KnownAccountsProps, 'onEntered'>) {
  const t = useTexts(knownAccountsTexts)
  const words = useTexts<object>('byCode' in messages ? messages.byCode : messages)
  return (
    <div className="grid gap-2">
      <ErrorPanel error={error} errors={('byCode' in messages ? words : words.errors) as Record<string, string>} />
      {identifier !== undefined && (
        <button type="button" onClick={() => onEntered(identifier)} className="link min-h-10 justify-self-center">
          {t.otherWay}
        </button>
      )}
    </div>
  )
}
