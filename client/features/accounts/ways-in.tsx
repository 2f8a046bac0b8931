import { useQuery } from '@tanstack/react-query'
import { KeyRound, Link2, MailCheck, Smartphone } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { LinkedAccount } from '../../lib/auth/endpoints.ts'
import { unwrap } from '../../lib/call-error.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, useAccounts } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Section } from '../../ui/page.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ChangePassword } from '../email-password/change-password.tsx'
import { LinkMore } from './link-more.tsx'
import { inGroups } from './scopes.ts'
import { accountTexts } from './texts.ts'
import { Unlink } from './unlink.tsx'

/** Every way in which the person can sign in, and what can be done about it. */
export function WaysIn() {
  const t = useTexts(accountTexts)
  const accounts = useAccounts()
  useLinkedToast()
  return (
    <Section id="accounts" title={t.title} intro={t.intro}>
      <Loaded of={accounts}>
        {(list) => (
          <>
            <ul className="grid gap-4" id="password">
              <PasswordRow account={list.find(isPassword)} />
              {list
                .filter((account) => !isPassword(account))
                .map((account, _index, services) => (
                  <ProviderRow
                    key={account.id}
                    account={account}
                    isLast={list.length === 1}
                    isOnlyService={services.length === 1}
                  />
                ))}
              <MessageRows />
            </ul>
            <LinkMore linked={list.map(({ provider }) => provider)} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

const isPassword = (account: LinkedAccount) => hasPassword([account])

/** When each way was last used, as far as the server tells. */
function useLastUse(methods: readonly string[]): Date | undefined {
  const { features } = useConfig()
  const { data } = useQuery({
    queryKey: ['signInMethods'],
    enabled: features.signInMethods === true,
    queryFn: () => unwrap(auth.listSignInMethods()),
  })
  // The newest comes first.
  return data?.find(({ method }) => methods.includes(method))?.lastUsedAt
}

interface RowProps {
  icon: ReactNode
  name: string
  /** As the server calls them when it says when each was last used. */
  methods: readonly string[]
  children?: ReactNode
  action?: ReactNode
}

function Row({ icon, name, methods, children, action }: RowProps) {
  const t = useTexts(accountTexts)
  const lastUse = useLastUse(methods)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 border-b pb-4 last:border-b-0 last:pb-0">
      <span className="pt-0.5 text-soft">{icon}</span>
      <div className="grid min-w-0 flex-1 basis-36 gap-0.5">
        <p className="font-medium break-words">{name}</p>
        <div className="text-sm text-soft">{children}</div>
        {lastUse && (
          <p className="text-sm text-soft">
            {t.lastUsed} <Time date={lastUse} />
          </p>
        )}
      </div>
      {action}
    </li>
  )
}

const byPassword = ['email', 'username', 'phone-number', 'sign-up']

function PasswordRow({ account }: { account: LinkedAccount | undefined }) {
  const t = useTexts(accountTexts)
  return (
    <Row
      icon={<KeyRound aria-hidden size={20} />}
      name={t.password}
      methods={byPassword}
      action={<ChangePassword exists={account !== undefined} />}
    >
      {account ? (
        <>
          {t.set} <Time date={account.createdAt} />
        </>
      ) : (
        t.notSet
      )}
    </Row>
  )
}

interface ProviderRowProps {
  account: LinkedAccount
  isLast: boolean
  isOnlyService: boolean
}

function ProviderRow({ account, isLast, isOnlyService }: ProviderRowProps) {
  const t = useTexts(accountTexts)
  const { providers } = useConfig()
  const name = providers.find(({ id }) => id === account.provider)?.name ?? account.provider
  const { known, others } = inGroups(account.scopes)
  return (
    <Row
      icon={<ProviderMark id={account.provider} size={20} />}
      name={name}
      // Of several services the server does not say which it was.
      methods={isOnlyService ? ['social'] : []}
      action={!isLast && <Unlink account={account} name={name} />}
    >
      <p>
        {t.linked} <Time date={account.createdAt} />
      </p>
      {account.scopes.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer">{t.shared(name)}</summary>
          <ul className="mt-1 list-disc pl-5">
            {[...known.map((what) => t.opened[what]), ...others].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
      {isLast && <p>{t.last}</p>}
    </Row>
  )
}

/** Links and codes go to whatever address and number the person has: nothing is set up, and nothing removed. */
function MessageRows() {
  const t = useTexts(accountTexts)
  const { features } = useConfig()
  const { user } = useMember()
  const email = isPlaceholder(user.email) ? null : user.email
  const phone = user.phoneNumberVerified ? user.phoneNumber : null
  return (
    <>
      {features.magicLink && email && (
        <Row icon={<Link2 aria-hidden size={20} />} name={t.byLink} methods={['magic-link']}>
          <p className="break-all">{email}</p>
        </Row>
      )}
      {features.emailOtp && email && (
        <Row icon={<MailCheck aria-hidden size={20} />} name={t.byEmailCode} methods={['email-otp']}>
          <p className="break-all">{email}</p>
        </Row>
      )}
      {features.phoneNumber && phone && (
        <Row icon={<Smartphone aria-hidden size={20} />} name={t.byTextMessage} methods={['phone-otp']}>
          <p className="tabular-nums">{phone}</p>
        </Row>
      )}
    </>
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
