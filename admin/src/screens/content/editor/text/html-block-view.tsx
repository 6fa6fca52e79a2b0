import { Badge, Button, Code, Group, Image, Modal, Stack, Text, Textarea } from '@mantine/core'
import { type NodeViewProps, NodeViewWrapper, ReactNodeViewRenderer } from '@tiptap/react'
import { useState } from 'react'
import { __ } from '../../../../i18n.ts'
import { DynamicBlockSettings } from './dynamic-block-settings.tsx'
import { findDynamicBlock } from './dynamic-blocks.ts'
import { HtmlBlock } from './html-block.ts'
import { PatternReference, patternOf } from './patterns/pattern-reference.tsx'
import classes from './rich-text.module.css'

/** Length of the excerpt shown of the HTML. */
const SHOWN = 300

/**
 * A box for HTML that the visual editor can't display; the HTML can be edited in a dialog. A dynamic block has settings instead, and
 * a synced pattern a link to it.
 */
export const HtmlBlockBox = HtmlBlock.extend({
  addNodeView: () => ReactNodeViewRenderer(Box),
})

function Box(props: NodeViewProps) {
  const html = String(props.node.attrs.html)
  const found = findDynamicBlock(html)
  const pattern = patternOf(html)
  return (
    <NodeViewWrapper className={classes.htmlBlock} data-selected={props.selected || undefined} contentEditable={false}>
      {found ? (
        <Group justify="space-between">
          <Group gap="xs" wrap="nowrap">
            <found.block.icon size={18} aria-hidden />
            <div>
              <Text size="sm" fw={600}>
                {found.block.label}
              </Text>
              {found.block.description && (
                <Text size="xs" c="dimmed">
                  {found.block.description}
                </Text>
              )}
            </div>
          </Group>
          {found.block.settings.length > 0 && (
            <DynamicBlockSettings found={found} onChange={(html) => props.updateAttributes({ html })} />
          )}
        </Group>
      ) : pattern !== undefined ? (
        <PatternReference id={pattern} />
      ) : (
        <Html {...props} />
      )}
    </NodeViewWrapper>
  )
}

function Html({ node, updateAttributes }: NodeViewProps) {
  const html = String(node.attrs.html)
  const [typed, setTyped] = useState<string>()
  const image = new DOMParser().parseFromString(html, 'text/html').querySelector('img')
  return (
    <>
      <Group justify="space-between">
        <Badge variant="light" color="gray">
          {__('HTML block', 'pentad')}
        </Badge>
        <Button size="compact-xs" variant="default" onClick={() => setTyped(html)}>
          {__('Edit HTML', 'pentad')}
        </Button>
      </Group>
      {image ? (
        <Image src={image.getAttribute('src')} alt={image.alt} mah={240} w="auto" fit="contain" />
      ) : (
        <Code block className={classes.htmlBlockCode} tabIndex={0}>
          {html.slice(0, SHOWN)}
        </Code>
      )}
      <Modal
        opened={typed !== undefined}
        onClose={() => setTyped(undefined)}
        size="lg"
        title={__('Edit HTML', 'pentad')}
      >
        <Stack>
          <Textarea
            aria-label={__('HTML', 'pentad')}
            autosize
            minRows={6}
            maxRows={20}
            ff="monospace"
            spellCheck={false}
            value={typed ?? ''}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
          />
          <Group justify="flex-end">
            <Button
              onClick={() => {
                updateAttributes({ html: typed })
                setTyped(undefined)
              }}
            >
              {__('Apply', 'pentad')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}
