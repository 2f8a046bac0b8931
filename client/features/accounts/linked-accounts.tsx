import { KeyRound } from 'lucide-react'
import { useEffect } from 'react'
import { useConfig } from '../../lib/api.ts'
import type { LinkedAccount } from '../../lib/auth/endpoints.ts'
import { useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Page, Section } from '../../ui/page.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { LinkMore } from './link-more.tsx'
import { accountTexts } from './texts.ts'
import { Unlink } from './unlink.tsx'

export default function LinkedAccounts() {
  const t = useTexts(accountTexts)
  const accounts = useAccounts()
  useLinkedToast()
  return (
    <Page title={t.title} intro={t.intro}>
      <Section>
        <Loaded of={accounts}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState>{t.empty}</EmptyState>
            ) : (
              <ul className="grid gap-5">
                {list.map((account) => (
                  <li key={account.id} className="border-b pb-5 last:border-b-0 last:pb-0">
                    <AccountRow account={account} isLast={list.length === 1} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {accounts.data && <LinkMore linked={accounts.data.map(({ provider }) => provider)} />}
    </Page>
  )
}

/** Whoever comes back from a provider is told that it worked, once: the address then forgets it. */
function useLinkedToast() {
  const t = useTexts(accountTexts)
  const { providers } = useConfig()
  useEffect(() => {
    const linked = new URLSearchParams(location.search).get('linked')
    const provider = providers.find(({ id }) => id === linked)
    if (!provider) return
    history.replaceState(history.state, '', location.pathname)
    toast(t.nowLinked(provider.name))
  }, [providers, t])
}

function AccountRow({ account, isLast }: { account: LinkedAccount; isLast: boolean }) {
  const t = useTexts(accountTexts)
  const { providers } = useConfig()
  const isPassword = account.provider === 'credential'
  const name = isPassword ? t.password : (providers.find(({ id }) => id === account.provider)?.name ?? account.provider)
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <span className="pt-0.5 text-soft">
        {isPassword ? <KeyRound aria-hidden size={22} /> : <ProviderMark id={account.provider} size={22} />}
      </span>
      <div className="grid min-w-0 flex-1 basis-32 gap-1">
        <p className="font-medium break-words">{name}</p>
        <p className="text-soft text-sm">
          {t.linked} <Time date={account.createdAt} />
        </p>
        {account.scopes.length > 0 && (
          <details className="text-soft text-sm">
            <summary className="w-fit cursor-pointer">{t.permissions}</summary>
            <ul className="mt-1 list-disc pl-5">
              {account.scopes.map((scope) => (
                <li key={scope} className="break-all">
                  {scope}
                </li>
              ))}
            </ul>
          </details>
        )}
        {isLast && <p className="text-soft text-sm">{t.last}</p>}
      </div>
      {!isLast && <Unlink account={account} name={name} />}
    </div>
  )
}
