import type {} from 'pentad'
