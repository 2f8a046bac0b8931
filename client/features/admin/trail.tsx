import { ChevronLeft } from 'lucide-react'
import { Link } from 'wouter'

/** Leads back to a list, with the search and the filter from which this page was opened. */
export function Trail({ list, label, title }: { list: string; label: string; title: string }) {
  const opener: unknown = history.state?.list
  return (
    <nav aria-label={label}>
      <Link
        href={typeof opener === 'string' && opener.startsWith(list) ? opener : list}
        className="link inline-flex min-h-10 items-center gap-1"
      >
        <ChevronLeft aria-hidden size={16} className="rtl:rotate-180" />
        {title}
      </Link>
    </nav>
  )
}
