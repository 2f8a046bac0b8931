import { useEffect, useRef, useState } from 'react'
import type { PublicConfig } from '../lib/auth/endpoints.ts'
import { deployment } from '../lib/deployment.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { theme } from '../lib/theme.ts'
import { Button } from '../ui/button.tsx'

const texts = defineTexts('captcha', {
  title: 'Confirm that you are not a robot',
  failed: 'The robot check could not be loaded. A content blocker may be stopping it.',
  again: 'Try again',
})

interface CaptchaProps {
  provider: NonNullable<PublicConfig['captcha']>['provider']
  siteKey: string
  /** Changes when the last token was used and a new one is required. */
  round: number
  onAnswer(token: string): void
}

/** Messages of the frame (worker/features/captcha/widget-page.ts). */
type Message =
  | { captcha: 'answer'; response: string }
  | { captcha: 'height'; height: number }
  | { captcha: 'expired' | 'failed' }

/** The height of the tallest widget. */
const usualHeight = 78

/** The provider's widget, in a frame that the server renders. A new round is a new frame. */
export default function CaptchaWidget({ round, onAnswer }: CaptchaProps) {
  const t = useTexts(texts)
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState(usualHeight)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  const chosen = theme.use()
  const isDark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<Message>) => {
      if (source !== frame.current?.contentWindow || origin !== (deployment.origin || location.origin)) return
      if (data.captcha === 'answer') onAnswer(data.response)
      else if (data.captcha === 'height') setHeight(Math.max(usualHeight, Number(data.height)))
      else if (data.captcha === 'expired') onAnswer('')
      else setFailed(true)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [onAnswer])
  if (failed) {
    return (
      <div className="grid gap-2" role="alert">
        <p className="text-danger">{t.failed}</p>
        <Button
          className="justify-self-start"
          onClick={() => {
            setFailed(false)
            setTries(tries + 1)
          }}
        >
          {t.again}
        </Button>
      </div>
    )
  }
  return (
    <iframe
      key={`${round} ${tries}`}
      ref={frame}
      title={t.title}
      src={`${deployment.api}/captcha/widget?theme=${isDark ? 'dark' : 'light'}`}
      style={{ height }}
      className="block w-full"
    />
  )
}
