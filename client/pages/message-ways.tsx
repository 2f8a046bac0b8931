import { type LucideIcon, Mail, MailCheck, Smartphone } from 'lucide-react'
import { useLocation } from 'wouter'
import { emailOtpTexts } from '../features/email-otp/texts.ts'
import { sendLink } from '../features/magic-link/link-form.tsx'
import { magicLinkTexts } from '../features/magic-link/texts.ts'
import { phoneTexts } from '../features/phone-number/texts.ts'
import { useAction } from '../lib/action.ts'
import { auth, useConfig } from '../lib/api.ts'
import type { FeatureSwitches, WayId } from '../lib/auth/endpoints.ts'
import type { Result } from '../lib/auth/types.ts'
import { type Continuation, useContinuation } from '../lib/continuation.ts'
import { looksLikeEmail } from '../lib/form.ts'
import { justSent } from '../lib/just-sent.ts'
import { lastUsed } from '../lib/last-used.ts'
import { looksLikePhone, normalizePhone } from '../lib/phone.ts'
import { type Dictionary, useTexts } from '../lib/texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { LastUsed } from '../ui/last-used.tsx'
import { Divider } from '../ui/page.tsx'
import { ErrorPanel } from '../ui/state.tsx'
import { signInTexts } from './sign-in.texts.ts'

interface MessageWay {
  id: WayId
  /** The screen that continues after the message has been sent. */
  path: string
  Icon: LucideIcon
  texts: Dictionary<{ way: string; errors: Record<string, string> }>
  when(features: FeatureSwitches, identifier: string): boolean | undefined
  send(identifier: string, continuation: Continuation): Promise<Result<unknown>>
}

export const messageWays: MessageWay[] = [
  {
    id: 'email-otp',
    path: '/sign-in/code',
    Icon: MailCheck,
    texts: emailOtpTexts,
    when: ({ emailOtp }, identifier) => emailOtp && looksLikeEmail(identifier),
    send: (email) => auth.emailOtp.sendVerificationOtp({ email, type: 'sign-in' }),
  },
  {
    id: 'magic-link',
    path: '/sign-in/link',
    Icon: Mail,
    texts: magicLinkTexts,
    when: ({ magicLink }, identifier) => magicLink && looksLikeEmail(identifier),
    send: sendLink,
  },
  {
    id: 'phone-otp',
    path: '/sign-in/phone',
    Icon: Smartphone,
    texts: phoneTexts,
    when: ({ phoneNumber }, identifier) => phoneNumber && looksLikePhone(identifier),
    send: (phoneNumber) => auth.phoneNumber.sendOtp({ phoneNumber }),
  },
]

/** Beside the password: a code or a link, sent to what was entered in the first step. */
export function MessageWays({ identifier }: { identifier: string }) {
  const t = useTexts(signInTexts)
  const { features } = useConfig()
  const ways = messageWays.filter(({ when }) => when(features, identifier))
  if (ways.length === 0) return null
  return (
    <>
      <Divider>{t.orDivider}</Divider>
      <div className="grid gap-3">
        {ways.map((way) => (
          <MessageWayButton
            key={way.id}
            {...way}
            to={looksLikePhone(identifier) ? normalizePhone(identifier) : identifier}
          />
        ))}
      </div>
    </>
  )
}

function MessageWayButton({ id, path, Icon, texts, send, to }: MessageWay & { to: string }) {
  const t = useTexts(texts)
  const continuation = useContinuation()
  const [, navigate] = useLocation()
  const sending = useAction(
    () => send(to, continuation),
    () => navigate(`${path}${continuation.query}`, { state: justSent(to) }),
  )
  return (
    <>
      <Button wide busy={sending.busy} onClick={sending.run}>
        <Icon aria-hidden size={18} />
        {t.way}
        {lastUsed.get() === id && <LastUsed />}
      </Button>
      {sending.error && <ErrorPanel error={sending.error} errors={t.errors} />}
    </>
  )
}
