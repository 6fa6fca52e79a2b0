import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useSearchParams } from 'react-router'
import { invalidate, useRead } from '../../api/query.ts'
import { __ } from '../../i18n.ts'
import classes from '../../parts/data-table.module.css'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { isShown, memberOf, textOf } from './member.ts'
import { cellOf, linkTo, RowButtons } from './page-cells.tsx'
import { type ExtensionPageData, namespaceOf, type PartOf } from './part.ts'
import { fill, RouteButton, segmentOf } from './route-button.tsx'

type DetailPart = NonNullable<PartOf<'table'>['details']>['parts'][number]
type DetailPartOf<Type extends DetailPart['type']> = Extract<DetailPart, { type: Type }>

interface PageDetailsProps {
  readonly page: ExtensionPageData
  readonly table: PartOf<'table'>
  readonly details: NonNullable<PartOf<'table'>['details']>
  /** ID of the row. */
  readonly id: string
}

/** The view of one row of a table, in place of the page. */
export function PageDetails({ page, table, details, id }: PageDetailsProps) {
  const [params] = useSearchParams()
  const item = useRead<unknown>(fill(details.route, () => segmentOf(id)))
  const title = item.data === undefined ? page.title : fill(details.title, (key) => textOf(memberOf(item.data, key)))
  return (
    <Page
      key={id}
      title={title}
      description={
        <Anchor component={Link} to={linkTo(params, '')} size="sm">
          {__('Back to the list', 'pentad')}
        </Anchor>
      }
    >
      <Loaded query={item} lines={6}>
        {(data) => (
          <>
            {table.actions && (
              <Group gap="xs">
                <RowButtons actions={table.actions} row={data} size="sm" />
              </Group>
            )}
            {details.parts.map((part, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a page stay where they are
              <Detail key={place} part={part} item={data} />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Detail({ part, item }: { part: DetailPart; item: unknown }) {
  switch (part.type) {
    case 'fields':
      return part.title === undefined ? (
        <Paper withBorder p="md">
          <Fields part={part} item={item} />
        </Paper>
      ) : (
        <Section title={part.title}>
          <Fields part={part} item={item} />
        </Section>
      )
    case 'rows':
      return (
        <Section title={part.title}>
          <Rows part={part} item={item} />
        </Section>
      )
    case 'form':
      return isShown(part.button, item) && <DetailForm part={part} item={item} />
  }
}

function Fields({ part: { fields }, item }: { part: DetailPartOf<'fields'>; item: unknown }) {
  return (
    <SimpleGrid component="dl" m={0} minColWidth="14rem" autoFlow="auto-fill" spacing="md">
      {fields.map((field) => (
        <div key={field.key}>
          <Text component="dt" size="sm" c="dimmed">
            {field.label}
          </Text>
          <Text component="dd" m={0} dir="auto" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {cellOf(memberOf(item, field.key), field)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

function Rows({ part: { title, key, columns, empty }, item }: { part: DetailPartOf<'rows'>; item: unknown }) {
  const found = memberOf(item, key)
  const rows: readonly unknown[] = Array.isArray(found) ? found : []
  if (rows.length === 0) return <Text c="dimmed">{empty ?? '–'}</Text>
  const align = ({ format }: (typeof columns)[number]) => (format === 'number' ? 'end' : undefined)
  return (
    <div className={classes.frame}>
      <Table aria-label={title} className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} ta={align(column)}>
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a response have no other identity
            <Table.Tr key={place}>
              {columns.map((column) => (
                <Table.Td
                  key={column.key}
                  data-align={align(column)}
                  data-label={column.label}
                  data-whole={column.format === 'date' || undefined}
                >
                  <bdi style={{ whiteSpace: 'pre-line' }}>{cellOf(memberOf(row, column.key), column)}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function DetailForm({ part: { title, text, fields, button }, item }: { part: DetailPartOf<'form'>; item: unknown }) {
  const client = useQueryClient()
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const trimmed = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value.trim()]))
  return (
    <Section title={title} description={text}>
      <RouteButton
        button={{ ...button, body: { ...button.body, ...trimmed } }}
        row={(key) => textOf(memberOf(item, key))}
        onDone={() => {
          setValues({})
          void invalidate(client, [namespaceOf(button.route)])
        }}
      >
        {({ run, isRunning }) => (
          <form
            onSubmit={(event) => {
              event.preventDefault()
              // What is sent is shown, and a text of only blanks is missing.
              flushSync(() => setValues(trimmed))
              if (event.currentTarget.reportValidity()) run()
            }}
          >
            <Stack gap="sm" maw="44rem">
              {fields.map(({ key, label, multiline = false, required = false }) => {
                const field = {
                  ...{ label, required, value: values[key] ?? '', dir: 'auto', readOnly: isRunning },
                  onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
                    setValues((before) => ({ ...before, [key]: value })),
                }
                return multiline ? (
                  <Textarea key={key} autosize minRows={2} {...field} />
                ) : (
                  <TextInput key={key} {...field} />
                )
              })}
              <Group>
                <Button type="submit" variant="default" loading={isRunning}>
                  {button.label}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </RouteButton>
    </Section>
  )
}
