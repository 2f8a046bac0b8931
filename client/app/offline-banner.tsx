import { WifiOff } from 'lucide-react'
import { useOnline } from '../lib/online.ts'
import { useTexts } from '../lib/texts/texts.ts'

/** The queries and the session view ask again by themselves when the connection is back; this only says so. */
export function OfflineBanner() {
  const t = useTexts()
  const online = useOnline()
  return (
    <div role="status" className="sticky top-0 z-20">
      {!online && (
        <p className="flex items-center justify-center gap-2.5 bg-ink px-4 py-2 text-paper">
          <WifiOff aria-hidden size={18} className="flex-none" />
          {t.offline}
        </p>
      )}
    </div>
  )
}
