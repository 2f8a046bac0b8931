import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { remembered } from '../../lib/store.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Menu, MenuButton, MenuLine, MenuLink } from '../../ui/menu.tsx'
import { viewsTexts } from './saved-views.texts.ts'

/** A filter of a list with a name: the query of its address. */
interface SavedView {
  name: string
  query: string
}

/** Per list. */
const maxViews = 20
const maxName = 60

const keyOf = (path: string) => `views:${path}`

/** What this browser has stored; a sign-out removes it. */
function viewsOf(path: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(remembered.get(keyOf(path)) ?? '[]')
    return (stored as SavedView[]).filter(({ name, query }) => typeof name === 'string' && typeof query === 'string')
  } catch {
    return []
  }
}

/** The query without the page: a cursor ends. */
function lasting(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('page')
  return query.toString()
}

/** The saved filters of a list of the console, kept in this browser: the address contains each. */
export function SavedViews() {
  const t = useTexts(viewsTexts)
  const core = useTexts()
  const [path, navigate] = useLocation()
  const current = lasting(useSearch())
  const [views, setViews] = useState(() => viewsOf(path))
  const [asking, setAsking] = useState(false)
  const [name, setName] = useState('')
  const store = (next: SavedView[]) => {
    remembered.set(keyOf(path), next.length > 0 ? JSON.stringify(next) : null)
    setViews(next)
  }
  const found = views.find(({ query }) => query === current)
  function save() {
    const given = name.trim()
    if (given === '') return
    store([...views.filter((view) => view.name !== given), { name: given, query: current }].slice(-maxViews))
    setAsking(false)
  }
  if (views.length === 0 && current === '') return null
  return (
    <>
      <Menu
        buttonClassName={buttonClass()}
        button={
          <>
            <Bookmark aria-hidden size={16} />
            <span className="max-w-40 truncate">{found?.name ?? t.views}</span>
          </>
        }
      >
        {views.map((view) => (
          <div key={view.name} className="flex items-center">
            <div className="min-w-0 flex-1">
              <MenuLink to={`${path}?${view.query}`}>{view.name}</MenuLink>
            </div>
            <button
              type="button"
              data-stay
              aria-label={t.forget(view.name)}
              title={t.forget(view.name)}
              onClick={() => store(views.filter((one) => one !== view))}
              className="inline-flex size-10 flex-none items-center justify-center rounded text-soft hover:bg-sunken"
            >
              <Trash2 aria-hidden size={16} />
            </button>
          </div>
        ))}
        {current !== '' && !found && (
          <>
            {views.length > 0 && <MenuLine />}
            <MenuButton
              onClick={() => {
                setName('')
                setAsking(true)
              }}
            >
              {t.save}
            </MenuButton>
          </>
        )}
        {current !== '' && <MenuButton onClick={() => navigate(path)}>{t.all}</MenuButton>}
      </Menu>
      <Dialog open={asking} title={t.save} onClose={() => setAsking(false)}>
        {/* The dialog is in the form of a filter, and a form in another one is not sent. */}
        <div className="grid gap-5">
          <Field
            label={t.name}
            hint={t.where}
            value={name}
            maxLength={maxName}
            onChange={({ target }) => setName(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              save()
            }}
            autoComplete="off"
          />
          <div className="flex justify-end gap-3">
            <Button onClick={() => setAsking(false)}>{core.cancel}</Button>
            <Button look="primary" onClick={save} disabled={name.trim() === ''}>
              {t.done}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
