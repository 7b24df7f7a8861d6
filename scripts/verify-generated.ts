// Fails when regenerating would change a generated file: `node scripts/run.mjs verify-generated`.
process.argv.push("--check");
await import("./update-generated.ts");
