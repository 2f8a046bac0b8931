import type { Scope } from '../identity/scope.ts'
import { type Cell, csvRow } from '../kit/csv.ts'
import { answerFile, type FileFormat } from './file-response.ts'

/** The columns of a file: their names, and the value of each in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>

export function csv<Row>(name: string, columns: CsvColumns<Row>): FileFormat<Row> {
  const cells = Object.values(columns)
  return {
    name,
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    head: csvRow(Object.keys(columns)),
    encode: (rows) => rows.map((row) => csvRow(cells.map((cell) => cell(row)))).join(''),
  }
}

/** A CSV file that is sent page by page, see `answerFile`. */
export const answerCsv = <Row>(
  scope: Scope,
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncIterator<readonly Row[]>,
  before: () => Promise<void>,
): Promise<Response> => answerFile(scope, csv(name, columns), pages, before)
