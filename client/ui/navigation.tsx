import type { LucideIcon } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { cx } from '../lib/cx.ts'

export interface NavigationItem {
  path: string
  label: string
  icon: LucideIcon
}

export interface NavigationGroup {
  id: string
  label: string
  items: NavigationItem[]
}

/** The side navigation: groups with headings; the current page is marked. */
export function SideNavigation({ groups, label }: { groups: NavigationGroup[]; label: string }) {
  const [location] = useLocation()
  // The page of the console is the beginning of its other pages: only the entry with most of the address is marked.
  const within = groups
    .flatMap(({ items }) => items.map(({ path }) => path))
    .filter((path) => location === path || location.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)
  return (
    <nav aria-label={label} className="grid gap-5">
      {groups.map((group) => (
        <div key={group.id} className="grid gap-1">
          <p className="px-3 text-xs font-medium text-soft" id={`nav-${group.id}`}>
            {group.label}
          </p>
          <ul aria-labelledby={`nav-${group.id}`} className="grid gap-0.5">
            {group.items.map(({ path, label: text, icon: Icon }) => {
              const here = path === within[0]
              return (
                <li key={path}>
                  <Link
                    href={path}
                    aria-current={here ? 'page' : undefined}
                    className={cx(
                      'flex min-h-9 items-center gap-2.5 rounded px-3 hover:bg-sunken',
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
