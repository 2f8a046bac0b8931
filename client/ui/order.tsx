import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { SelectField } from './field.tsx'

const orderTexts = defineTexts('order', {
  label: 'Order',
  choices: {
    'createdAt desc': 'Newest first',
    'createdAt asc': 'Oldest first',
    'name asc': 'By name, A to Z',
    'name desc': 'By name, Z to A',
    'role asc': 'By role',
  },
})

type By = 'createdAt' | 'name' | 'role'

export interface Order<B extends string> {
  by: B
  descending: boolean
}

interface OrderFieldProps<B extends By> {
  /** The columns to sort by. */
  columns: readonly B[]
  order: Order<string>
  onOrder(order: Order<B>): void
}

/** The order of a table on a narrow screen: cards have no column heads to sort by. */
export function OrderField<B extends By>({ columns, order, onOrder }: OrderFieldProps<B>) {
  const t = useTexts(orderTexts)
  const choices = Object.entries(t.choices).filter(([choice]) => columns.some((by) => choice.startsWith(`${by} `)))
  return (
    <SelectField
      label={<span className="sr-only">{t.label}</span>}
      className="basis-full sm:hidden"
      value={`${order.by} ${order.descending ? 'desc' : 'asc'}`}
      onChange={(event) => {
        const [by, direction] = event.target.value.split(' ') as [B, string]
        onOrder({ by, descending: direction === 'desc' })
      }}
    >
      {choices.map(([choice, label]) => (
        <option key={choice} value={choice}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
