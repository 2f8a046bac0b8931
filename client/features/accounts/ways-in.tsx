import { KeyRound, Link2, MailCheck, Smartphone } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import type { LinkedAccount, OwnSessionMethod, PublicConfig, SessionMethod } from '../../lib/auth/endpoints.ts'
import { cx } from '../../lib/cx.ts'
import { atProvider, lastUseOf } from '../../lib/last-used.ts'
import { idOfMethod } from '../../lib/methods.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, refreshQueries, useAccounts, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { DialogButton } from '../../ui/dialog.tsx'
import { OwnSession } from '../../ui/own-session.tsx'
import { ProviderMark } from '../../ui/provider-mark.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorPanel, Loaded } from '../../ui/state.tsx'
import { Since } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ChangePassword } from '../email-password/change-password.tsx'
import { useMethodName } from '../session/labels.ts'
import { inGroups } from './scopes.ts'
import { accountTexts } from './texts.ts'

export function WaysIn() {
  const t = useTexts(accountTexts)
  const accounts = useAccounts()
  useLinkedToast()
  return (
    <Section id="accounts" title={t.title} intro={t.intro}>
      <Loaded of={accounts}>
        {(list) => (
          <OwnSession>
            <ul className="grid gap-4" id="password">
              <PasswordRow account={list.find(isPassword)} />
              {list
                .filter((account) => !isPassword(account))
                .map((account) => (
                  <ProviderRow key={account.id} account={account} isLast={list.length === 1} />
                ))}
              <MessageRows />
            </ul>
            <LinkMore linked={list.map(({ provider }) => provider)} />
          </OwnSession>
        )}
      </Loaded>
    </Section>
  )
}

const isPassword = (account: LinkedAccount) => hasPassword([account])

function useLastUse(methods: readonly SessionMethod[]): Date | undefined {
  const { data } = useQuery(['signInMethods'], () => auth.listSignInMethods())
  return data ? lastUseOf(data, methods) : undefined
}

interface RowProps {
  icon: ReactNode
  name: string
  /** The methods of sign-in whose last use the row shows. */
  methods: readonly SessionMethod[]
  /** Since when, or with which address: on a phone, where a row has two lines, the last use is in its place. */
  fact: ReactNode
  children?: ReactNode
  action?: ReactNode
}

function Row({ icon, name, methods, fact, children, action }: RowProps) {
  const t = useTexts(accountTexts)
  const lastUse = useLastUse(methods)
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-3 border-b pb-4 last:border-b-0 last:pb-0 sm:gap-x-4">
      <span className="pt-0.5 text-soft">{icon}</span>
      <div className="grid min-w-0 flex-1 basis-24 grid-cols-1 gap-0.5 wrap-anywhere sm:basis-36">
        <p className="font-medium max-sm:truncate">{name}</p>
        <p className={cx('text-sm text-soft max-sm:truncate', lastUse && 'max-sm:hidden')}>{fact}</p>
        {lastUse && (
          <p className="text-sm text-soft">
            <Since what={t.lastUsed} date={lastUse} />
          </p>
        )}
        <div className="text-sm text-soft empty:hidden">{children}</div>
      </div>
      {action}
    </li>
  )
}

/** The row that shows when a method was last used; null without a row in this section. */
const rows: Record<OwnSessionMethod, 'password' | 'magic-link' | 'email-otp' | 'phone-otp' | null> = {
  email: 'password',
  username: 'password',
  'phone-number': 'password',
  'sign-up': 'password',
  'magic-link': 'magic-link',
  'email-otp': 'email-otp',
  'phone-otp': 'phone-otp',
  'email-verification': null,
  passkey: null,
  'cloudflare-access': null,
  anonymous: null,
  impersonation: null,
}

const methodsOf = (row: (typeof rows)[OwnSessionMethod]): SessionMethod[] =>
  Object.entries(rows).flatMap(([method, itsRow]) => (itsRow === row ? method : []))

function PasswordRow({ account }: { account: LinkedAccount | undefined }) {
  const t = useTexts(accountTexts)
  return (
    <Row
      icon={<KeyRound aria-hidden size={20} />}
      name={t.password}
      methods={methodsOf('password')}
      action={<ChangePassword exists={account !== undefined} />}
      fact={account ? <Since what={t.set} date={account.createdAt} /> : t.notSet}
    />
  )
}

interface ProviderRowProps {
  account: LinkedAccount
  isLast: boolean
}

function ProviderRow({ account, isLast }: ProviderRowProps) {
  const t = useTexts(accountTexts)
  const provider = useMethodName(account.provider) ?? account.provider
  const name = idOfMethod(account.provider) === 'sso' ? t.sso : provider
  const { known, others } = inGroups(account.scopes)
  return (
    <Row
      icon={<ProviderMark id={account.provider} size={20} />}
      name={name}
      methods={[atProvider(account.provider)]}
      action={!isLast && <Unlink account={account} name={name} />}
      fact={<Since what={t.linked} date={account.createdAt} />}
    >
      {account.scopes.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer">{t.shared(name)}</summary>
          <ul className="mt-1 list-disc ps-5">
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

/** Links and codes are sent to the address and number of the user: the rows have no actions. */
function MessageRows() {
  const t = useTexts(accountTexts)
  const { features } = useConfig()
  const { user } = useMember()
  const email = isPlaceholder(user.email) ? null : user.email
  const phone = user.phoneNumberVerified ? user.phoneNumber : null
  return (
    <>
      {features.magicLink && email && (
        <Row icon={<Link2 aria-hidden size={20} />} name={t.byLink} methods={methodsOf('magic-link')} fact={email} />
      )}
      {features.emailOtp && email && (
        <Row
          icon={<MailCheck aria-hidden size={20} />}
          name={t.byEmailCode}
          methods={methodsOf('email-otp')}
          fact={email}
        />
      )}
      {features.phoneNumber && phone && (
        <Row
          icon={<Smartphone aria-hidden size={20} />}
          name={t.byTextMessage}
          methods={methodsOf('phone-otp')}
          fact={phone}
        />
      )}
    </>
  )
}

/** Shows once that linking worked, and removes the parameter from the address. */
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

type Provider = PublicConfig['providers'][number]

const here = '/account/security'

/** Starts linking: the browser leaves the page and comes back. */
async function link({ id, kind }: Provider) {
  const target = { callbackURL: `${here}?linked=${encodeURIComponent(id)}`, errorCallbackURL: '/error' }
  return kind === 'oauth2'
    ? auth.oauth2.link({ providerId: id, ...target })
    : auth.linkSocial({ provider: id, ...target })
}

/** More providers than these are behind a button. */
const shownProviders = 3

/** The configured providers that are not linked. */
function LinkMore({ linked }: { linked: string[] }) {
  const t = useTexts(accountTexts)
  const { providers } = useConfig()
  const more = providers.filter(({ id }) => !linked.includes(id))
  if (more.length === 0) return null
  return (
    <div className="grid justify-items-start gap-3 border-t pt-5">
      {more.length > shownProviders ? (
        <DialogButton id="link-service" label={t.more}>
          {() => <Providers list={more} />}
        </DialogButton>
      ) : (
        <>
          <h3 id="link-service" className="font-medium">
            {t.more}
          </h3>
          <Providers list={more} />
        </>
      )}
    </div>
  )
}

function Providers({ list }: { list: Provider[] }) {
  const t = useTexts(accountTexts)
  const [leavingTo, setLeavingTo] = useState<string | null>(null)
  const begin = useAction(async (provider: Provider) => {
    setLeavingTo(provider.id)
    const result = await link(provider)
    if (result.error) setLeavingTo(null)
    return result
  })
  return (
    <div className="grid w-full gap-3">
      {/* No service is alone in the last row. */}
      <ul
        className={cx('grid grid-cols-2 gap-3 max-sm:*:last:odd:col-span-2', list.length % 3 !== 1 && 'sm:grid-cols-3')}
      >
        {list.map((provider) => (
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

/** Removes a way to sign in, after a question. The server keeps the last one. */
function Unlink({ account, name }: { account: LinkedAccount; name: string }) {
  const t = useTexts(accountTexts)
  return (
    <ConfirmDestroy
      title={t.question(name)}
      action={t.unlink}
      errors={t.errors}
      send={() => auth.unlinkAccount({ providerId: account.provider, accountId: account.accountId })}
      done={() => {
        toast(t.unlinked(name))
        refreshQueries('accounts')
      }}
      look="secondary"
      label={t.unlinkOne(name)}
    >
      {t.consequence(name)}
    </ConfirmDestroy>
  )
}
