import { Link, useLocation } from 'wouter'
import { cx } from '../lib/cx.ts'
import { currentItem, type NavigationItem } from './navigation.tsx'

/** A navigation in one line. In a narrow window it has several, so that every label is whole and visible in any language. */
export function Tabs({ items, label }: { items: NavigationItem[]; label: string }) {
  const [location] = useLocation()
  const current = currentItem(location, items)?.path
  return (
    <nav aria-label={label} className="tabs border-b">
      <ul className="-mb-px flex flex-wrap gap-x-1">
        {items.map(({ path, label: text, icon: Icon }) => {
          const isHere = path === current
          return (
            <li key={path} className="flex-none">
              <Link
                href={path}
                aria-current={isHere ? 'page' : undefined}
                className={cx(
                  'tab flex min-h-10 items-center gap-2 border-b-2 px-3 whitespace-nowrap -outline-offset-2 max-[30em]:px-2 max-[30em]:text-sm',
                  isHere ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
                )}
              >
                <Icon aria-hidden size={17} className="flex-none max-[30em]:hidden" />
                {text}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
