import { expect, it } from 'vitest'
import { csvRow } from './csv.ts'

it.each([
  [['a', 'b'], 'a,b'],
  [[null, undefined, ''], ',,'],
  [[true, 3, -3, new Date(0)], 'true,3,-3,1970-01-01T00:00:00.000Z'],
  [['a,b', 'say "hi"', 'two\r\nlines'], '"a,b","say ""hi""","two\r\nlines"'],
  [['=1+1', '+49', '-1', '@a', '\tx', '\rx', '\nx'], `'=1+1,'+49,'-1,'@a,'\tx,"'\rx","'\nx"`],
  [['=HYPERLINK("http://x","y")'], `"'=HYPERLINK(""http://x"",""y"")"`],
  [['＝1', 'a=b', "'a"], "'＝1,a=b,'a"],
])('writes %j', (cells, line) => {
  expect(csvRow(cells)).toBe(`${line}\r\n`)
})
