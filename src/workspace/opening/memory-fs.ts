/** A file system that lives in memory, for the option `fs`. */

export { type MemoryFs, memoryFs } from '../../fs/memory-fs.ts';
