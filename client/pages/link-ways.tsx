import { type LucideIcon, Mail, MailCheck, Smartphone } from 'lucide-react'
import { emailOtpTexts } from '../features/email-otp/texts.ts'
import { magicLinkTexts } from '../features/magic-link/texts.ts'
import { phoneTexts } from '../features/phone-number/texts.ts'
import { useContinuation } from '../lib/continuation.ts'
import { type Dictionary, useTexts } from '../lib/texts/texts.ts'
import type { WayProps } from '../lib/ways.ts'
import { ButtonLink } from '../ui/button.tsx'
import { LastUsed } from '../ui/last-used.tsx'

const linkWay = (path: string, Icon: LucideIcon, texts: Dictionary<{ way: string }>) =>
  function LinkWay({ lastUsed }: WayProps) {
    const t = useTexts(texts)
    const { query } = useContinuation()
    return (
      <ButtonLink to={`${path}${query}`} wide>
        <Icon aria-hidden size={18} />
        {t.way}
        {lastUsed && <LastUsed />}
      </ButtonLink>
    )
  }

/** Ways to sign in that have a screen of their own. */
export const MagicLinkWay = linkWay('/sign-in/link', Mail, magicLinkTexts)
export const EmailCodeWay = linkWay('/sign-in/code', MailCheck, emailOtpTexts)
export const PhoneCodeWay = linkWay('/sign-in/phone', Smartphone, phoneTexts)
