import { Anchor, Code, List, Table, Text, Title } from '@mantine/core'
import { pageData } from 'pentad/admin/page-data.ts'
import { Fragment, memo, type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { remark } from 'remark'
import gfm from 'remark-gfm'
import { localPath } from './local-path.ts'

const processor = remark().use(gfm).freeze()

type Node = ReturnType<typeof processor.parse> | ReturnType<typeof processor.parse>['children'][number]

/**
 * Renders the copilot's Markdown. The server has already sanitized it: links to other sites are code there. No HTML is
 * inserted, so nothing can run.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const tree = useMemo(() => processor.parse(text), [text])
  return <div dir="auto">{children(tree)}</div>
})

function children(node: Node): ReactNode {
  if (!('children' in node)) return null
  // biome-ignore lint/suspicious/noArrayIndexKey: a node is its place
  return node.children.map((child, at) => <Fragment key={at}>{draw(child)}</Fragment>)
}

function draw(node: Node): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return (
        <Text size="sm" my={6}>
          {children(node)}
        </Text>
      )
    case 'heading':
      return (
        <Title order={3} size="h4" my={6}>
          {children(node)}
        </Title>
      )
    case 'text':
      return node.value
    case 'strong':
      return <strong>{children(node)}</strong>
    case 'emphasis':
      return <em>{children(node)}</em>
    case 'delete':
      return <s>{children(node)}</s>
    case 'inlineCode':
      return <Code>{node.value}</Code>
    case 'code':
      return (
        <Code block my={6} tabIndex={0}>
          {node.value}
        </Code>
      )
    case 'html':
      return node.value
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'blockquote':
      return <blockquote>{children(node)}</blockquote>
    case 'list':
      return (
        <List type={node.ordered ? 'ordered' : 'unordered'} size="sm" my={6} withPadding>
          {node.children.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
            <List.Item key={at}>{children(item)}</List.Item>
          ))}
        </List>
      )
    case 'link':
      return <OwnLink url={node.url}>{children(node)}</OwnLink>
    case 'table':
      return (
        <Table withTableBorder withColumnBorders my={6} fz="sm">
          <Table.Tbody>
            {node.children.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
              <Table.Tr key={at}>
                {row.children.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                  <Table.Td key={column} component={at === 0 ? 'th' : 'td'}>
                    {children(cell)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )
    case 'image':
      return node.alt ?? ''
    default:
      return children(node)
  }
}

/** Links to admin screens open here, links to pages of the site in a new tab. */
function OwnLink({ url, children: words }: { url: string; children: ReactNode }) {
  const address = localPath(url, pageData.site.url)
  if (address === undefined) return <Code>{url}</Code>
  if (address.startsWith('/wp-admin/')) {
    return (
      <Anchor component={Link} to={address.slice('/wp-admin'.length)} size="sm">
        {words}
      </Anchor>
    )
  }
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" size="sm">
      {words}
    </Anchor>
  )
}
