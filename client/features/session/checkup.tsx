import { CircleAlert, CircleCheck } from 'lucide-react'
import { useConfig, useMember } from '../../lib/api.ts'
import { cx } from '../../lib/cx.ts'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { hasPassword, useAccounts, usePasskeys } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useNotMine } from '../../ui/own-session.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { groupDevices } from './devices.ts'
import { useOwnSessions } from './own-sessions.ts'

const texts = defineTexts('checkup', {
  title: 'Check-up',
  good: 'Everything that we check is in order.',
  improve: { one: '{count} step makes your account safer.', other: '{count} steps make your account safer.' },
  ways: { one: '{count} way to sign in', other: '{count} ways to sign in' },
  noFactor: 'No second factor',
  factor: 'Second factor on',
  passkeys: { zero: 'No passkey', one: '{count} passkey', other: '{count} passkeys' },
  devices: {
    zero: 'No new device in the last 7 days',
    one: '{count} new device in the last 7 days',
    other: '{count} new devices in the last 7 days',
  },
  addWay: 'Add another',
  addFactor: 'Turn on',
  addPasskey: 'Create one',
  review: 'Review',
  show: 'Show',
  act: '{fact}: {action}',
})

interface Fact {
  /** The part of the page in which it is changed. */
  part: string
  /** The part or the dialog that improves it. */
  open?: string | undefined
  words: string
  good: boolean
  /** What improves it. */
  action: string
}

const week = 7 * 86_400_000

/** On the security page: four facts, each with the way to what changes it. */
export function Checkup() {
  return useNotMine() === null ? <Facts /> : null
}

function Facts() {
  const t = useTexts(texts)
  const facts = useFacts()
  const open = facts?.filter(({ good }) => !good).length ?? 0
  return (
    <Section id="checkup" title={t.title} intro={facts && (open === 0 ? t.good : t.improve(open))}>
      {facts ? (
        <ul className="grid gap-x-10 gap-y-1 sm:grid-cols-2">
          {facts.map(({ part, open: dialog = part, words, good, action }) => {
            const shown = good ? t.show : action
            return (
              <li key={part} className="flex min-h-12 items-center gap-3">
                {good ? (
                  <CircleCheck aria-hidden size={20} className="flex-none text-success" />
                ) : (
                  <CircleAlert aria-hidden size={20} className="flex-none text-warning" />
                )}
                <span className="min-w-0 flex-1">{words}</span>
                <a
                  href={`#${good ? part : dialog}`}
                  aria-label={t.act(words, shown)}
                  className={cx(buttonClass('quiet'), 'max-sm:px-2.5')}
                >
                  {shown}
                </a>
              </li>
            )
          })}
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
    </Section>
  )
}

/** null while they load. A fact whose request has failed is left out: its section shows the error. */
function useFacts(): Fact[] | null {
  const t = useTexts(texts)
  const { features } = useConfig()
  const { user, session } = useMember()
  const accounts = useAccounts()
  const passkeys = usePasskeys(Boolean(features.passkey))
  const sessions = useOwnSessions()
  const asked = [accounts, sessions, ...(features.passkey ? [passkeys] : [])]
  if (asked.some(({ data, error }) => !data && !error)) return null
  const hasAddress = !isPlaceholder(user.email)
  const byMessage = [
    features.magicLink && hasAddress,
    features.emailOtp && hasAddress,
    features.phoneNumber && user.phoneNumber && user.phoneNumberVerified,
  ].filter(Boolean).length
  const ways = (accounts.data?.length ?? 0) + byMessage + (passkeys.data?.length ?? 0)
  const devices = groupDevices((sessions.data ?? []).filter(({ id }) => id !== session.id))
  const isNew = (date: Date) => date.getTime() > Date.now() - week
  const unknown = devices.filter((device) => device.sessions.every(({ createdAt }) => isNew(createdAt))).length
  const count = passkeys.data?.length ?? 0
  const facts: (Fact | false | null | undefined)[] = [
    accounts.data && { part: 'accounts', words: t.ways(ways), good: ways > 1, action: t.addWay },
    features.twoFactor && {
      part: 'two-factor',
      open: hasPassword(accounts.data ?? []) ? 'set-up-two-factor' : undefined,
      words: user.twoFactorEnabled ? t.factor : t.noFactor,
      good: Boolean(user.twoFactorEnabled),
      action: t.addFactor,
    },
    passkeys.data && {
      part: 'passkeys',
      open: 'add-passkey',
      words: t.passkeys(count),
      good: count > 0,
      action: t.addPasskey,
    },
    sessions.data && { part: 'sessions', words: t.devices(unknown), good: unknown === 0, action: t.review },
  ]
  return facts.filter((fact) => fact !== null && typeof fact === 'object')
}
