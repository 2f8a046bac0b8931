import { Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTexts } from '../lib/texts/texts.ts'
import type { NavigationGroup } from '../ui/navigation.tsx'
import { commandTexts } from './command.texts.ts'

const CommandMenu = lazy(() => import('./command-menu.tsx'))

const isMac = /mac|iphone|ipad/i.test(navigator.platform)

/** The button of the command menu, and its keys: Ctrl/Cmd-K. */
export default function CommandButton({ groups }: { groups: NavigationGroup[] }) {
  const t = useTexts(commandTexts)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      // A dialog in front has the keyboard.
      if (document.querySelector('dialog:modal:not([data-commands])')) return
      event.preventDefault()
      setOpen((before) => !before)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="inline-flex min-h-10 min-w-10 items-center justify-center gap-2 rounded px-2 text-soft hover:bg-sunken lg:border lg:px-3"
      >
        <Search aria-hidden size={18} className="flex-none" />
        <span className="max-lg:sr-only">{t.search}</span>
        <kbd aria-hidden className="ms-6 font-sans text-xs max-lg:hidden">
          {isMac ? '⌘K' : t.keys}
        </kbd>
      </button>
      {open && (
        <Suspense>
          <CommandMenu groups={groups} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
