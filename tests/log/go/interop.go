// Reads and writes tiled logs with nothing but Go's own sumdb packages, to be held against Thorp's.
//
//	interop read PUBLIC VKEY          open the checkpoint, authenticate every tile, prove every entry
//	interop grown PUBLIC VKEY OLD     the tree must begin with that of the checkpoint in the file OLD
//	interop proof FILE VKEY LEAF      check a .tlog-proof file for a leaf
//	interop write PUBLIC SKEY PROOF ENTRY…   publish entries, and the proof of the last one
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height, width = 8, 256

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func check(err error) { must(0, err) }

// open verifies a checkpoint and returns its tree.
func open(data []byte, vkey string) tlog.Tree {
	verifier := must(note.NewVerifier(vkey))
	opened := must(note.Open(data, note.VerifierList(verifier)))
	lines := strings.Split(opened.Text, "\n")
	if lines[0] != verifier.Name() {
		log.Fatalf("origin %q", lines[0])
	}
	return tlog.Tree{N: must(strconv.ParseInt(lines[1], 10, 64)), Hash: must(tlog.ParseHash(lines[2]))}
}

// path is where C2SP puts a tile: as Go does, but without the height.
func path(tile tlog.Tile) string { return strings.Replace(tile.Path(), "tile/8/", "tile/", 1) }

type tiles string

func (public tiles) Height() int                     { return height }
func (public tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (public tiles) ReadTiles(wanted []tlog.Tile) (found [][]byte, err error) {
	for _, tile := range wanted {
		found = append(found, must(os.ReadFile(filepath.Join(string(public), path(tile)))))
	}
	return found, nil
}

func bundle(index, count int64) string {
	tile := tlog.Tile{H: height, L: 0, N: index, W: int(min(count-index*width, width))}
	return strings.Replace(path(tile), "tile/0/", "tile/entries/", 1)
}

func entries(public string, size int64) (all [][]byte) {
	for index := int64(0); index*width < size; index++ {
		data := must(os.ReadFile(filepath.Join(public, bundle(index, size))))
		for len(data) > 0 {
			length := binary.BigEndian.Uint16(data)
			all, data = append(all, data[2:2+length]), data[2+length:]
		}
	}
	return all
}

func read(public, vkey string) {
	tree := open(must(os.ReadFile(filepath.Join(public, "checkpoint"))), vkey)
	reader := tlog.TileHashReader(tree, tiles(public))
	all := entries(public, tree.N)
	if int64(len(all)) != tree.N {
		log.Fatalf("%d entries, size %d", len(all), tree.N)
	}
	for index, entry := range all {
		proof := must(tlog.ProveRecord(tree.N, int64(index), reader))
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, int64(index), tlog.RecordHash(entry)))
	}
	fmt.Println("read", tree.N)
}

func grown(public, vkey, old string) {
	tree := open(must(os.ReadFile(filepath.Join(public, "checkpoint"))), vkey)
	before := open(must(os.ReadFile(old)), vkey)
	proof := must(tlog.ProveTree(tree.N, before.N, tlog.TileHashReader(tree, tiles(public))))
	check(tlog.CheckTree(proof, tree.N, tree.Hash, before.N, before.Hash))
	fmt.Println("grown", before.N, tree.N)
}

func proof(file, vkey, leaf string) {
	head, checkpoint, _ := strings.Cut(string(must(os.ReadFile(file))), "\n\n")
	tree := open([]byte(checkpoint), vkey)
	lines := strings.Split(head, "\n")
	if lines[0] != "c2sp.org/tlog-proof@v1" || lines[1] != "extra "+base64.StdEncoding.EncodeToString([]byte(leaf)) {
		log.Fatal("not the proof of this leaf")
	}
	index := must(strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64))
	var hashes tlog.RecordProof
	for _, line := range lines[3:] {
		hashes = append(hashes, must(tlog.ParseHash(line)))
	}
	check(tlog.CheckRecord(hashes, tree.N, tree.Hash, index, tlog.RecordHash([]byte(leaf))))
	fmt.Println("proof", index)
}

func write(public, skey, proof string, all []string) {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) (found []tlog.Hash, err error) {
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	size := int64(len(all))
	for index, entry := range all {
		stored = append(stored, must(tlog.StoredHashes(int64(index), []byte(entry), reader))...)
	}
	for _, tile := range tlog.NewTiles(height, 0, size) {
		save(filepath.Join(public, path(tile)), must(tlog.ReadTileData(tile, reader)))
	}
	for index := int64(0); index*width < size; index++ {
		var data []byte
		for _, entry := range all[index*width : min(size, (index+1)*width)] {
			data = append(binary.BigEndian.AppendUint16(data, uint16(len(entry))), entry...)
		}
		save(filepath.Join(public, bundle(index, size)), data)
	}
	signer := must(note.NewSigner(skey))
	root := must(tlog.TreeHash(size, reader))
	text := fmt.Sprintf("%s\n%d\n%s\n", signer.Name(), size, root)
	checkpoint := must(note.Sign(&note.Note{Text: text}, signer))
	save(filepath.Join(public, "checkpoint"), checkpoint)
	lines := "c2sp.org/tlog-proof@v1\n" + fmt.Sprintf("index %d\n", size-1)
	for _, hash := range must(tlog.ProveRecord(size, size-1, reader)) {
		lines += hash.String() + "\n"
	}
	save(proof, append([]byte(lines+"\n"), checkpoint...))
	fmt.Println("write", size)
}

func save(file string, data []byte) {
	check(os.MkdirAll(filepath.Dir(file), 0o755))
	check(os.WriteFile(file, data, 0o644))
}

func main() {
	log.SetFlags(0)
	switch given := os.Args[1:]; given[0] {
	case "read":
		read(given[1], given[2])
	case "grown":
		grown(given[1], given[2], given[3])
	case "proof":
		proof(given[1], given[2], given[3])
	case "write":
		write(given[1], given[2], given[3], given[4:])
	}
}
