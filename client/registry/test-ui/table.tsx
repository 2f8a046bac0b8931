import type { ComponentProps } from 'react'

export const Table = (props: ComponentProps<'table'>) => (
  <div className="w-full overflow-x-auto">
    <table {...props} className="w-full text-sm" />
  </div>
)
export const TableCaption = (props: ComponentProps<'caption'>) => (
  <caption {...props} className="mt-4 caption-bottom text-muted-foreground" />
)
export const TableHeader = (props: ComponentProps<'thead'>) => <thead {...props} />
export const TableBody = (props: ComponentProps<'tbody'>) => <tbody {...props} />
export const TableRow = (props: ComponentProps<'tr'>) => <tr {...props} className="border-b" />
export const TableHead = (props: ComponentProps<'th'>) => <th {...props} className="p-2 text-start" />
export const TableCell = ({ className = '', ...props }: ComponentProps<'td'>) => (
  <td {...props} className={`p-2 ${className}`} />
)
