import { MailCheck } from 'lucide-react'
import { continuation } from '../../lib/continuation.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import type { WayProps } from '../../lib/ways.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { LastUsed } from '../../ui/last-used.tsx'
import { emailOtpTexts } from './texts.ts'

export default function EmailCodeWay({ lastUsed }: WayProps) {
  const t = useTexts(emailOtpTexts)
  return (
    <ButtonLink to={`/sign-in/code${continuation().query}`} wide>
      <MailCheck aria-hidden size={18} />
      {t.way}
      {lastUsed && <LastUsed />}
    </ButtonLink>
  )
}
