import type { LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { cx } from '../lib/cx.ts'

export interface NavigationItem {
  path: string
  label: string
  /** Its English label, which finds it in the command menu. */
  english?: string
  icon: LucideIcon
  /** The entry that has this one as a tab. */
  in?: string | undefined
}

export interface NavigationGroup {
  id: string
  label: string
  items: NavigationItem[]
}

/** The path that has most of the address: a screen can be the beginning of others. */
export const currentItem = (location: string, items: readonly NavigationItem[]): NavigationItem | undefined =>
  items
    .filter(({ path }) => location === path || location.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]

const isTab = ({ in: parent }: NavigationItem, items: readonly NavigationItem[]): boolean =>
  items.some(({ path }) => path === parent)

/** The entry of the address and its tabs, if it has any. */
export function tabsAt(location: string, groups: readonly NavigationGroup[]): NavigationItem[] {
  const items = groups.flatMap((group) => group.items)
  const here = currentItem(location, items)
  const parent = here && (isTab(here, items) ? here.in : here.path)
  const tabs = items.filter((item) => item.path === parent || item.in === parent)
  // The screen of one thing has the way back instead.
  return tabs.length > 1 && tabs.some(({ path }) => path === location) ? tabs : []
}

/** The side navigation: groups with headings; the current page is marked. */
export function SideNavigation({ groups, label }: { groups: NavigationGroup[]; label: string }) {
  const [location] = useLocation()
  const items = groups.flatMap((group) => group.items)
  const at = currentItem(location, items)
  const current = at && (isTab(at, items) ? at.in : at.path)
  return (
    <nav aria-label={label} className="grid gap-5">
      {groups.map((group) => (
        <div key={group.id} className="grid gap-1">
          <p className="px-3 text-xs font-medium text-soft" id={`nav-${group.id}`}>
            {group.label}
          </p>
          <ul aria-labelledby={`nav-${group.id}`} className="grid gap-0.5">
            {group.items
              .filter((item) => !isTab(item, items))
              .map(({ path, label: text, icon: Icon }) => {
                const here = path === current
                return (
                  <li key={path}>
                    <Link
                      href={path}
                      aria-current={here ? 'page' : undefined}
                      className={cx(
                        'flex min-h-9 items-center gap-2.5 rounded ps-3 pe-1 hover:bg-sunken',
                        here ? 'bg-sunken font-medium text-ink' : 'text-soft hover:text-ink',
                      )}
                    >
                      <Icon aria-hidden size={17} className="flex-none" />
                      {text}
                    </Link>
                  </li>
                )
              })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
