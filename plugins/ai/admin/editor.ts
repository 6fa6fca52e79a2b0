import { defineEditor } from 'pentad/admin'
import { Assistant } from './writing/assistant.tsx'

export default defineEditor({ id: 'ai', place: 'above the text', Fields: Assistant })
